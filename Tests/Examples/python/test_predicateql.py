"""Tests of the client: PQL=path/of/pql python3 -m unittest."""

import datetime
import os
import sqlite3
import tempfile
import threading
import unittest

from predicateql import PredicateQL, QueryError, ToolError

PEOPLE = [{"name": "Ann", "age": 30}, {"name": "Bob", "age": 17}, {"name": "Zoë", "age": 2**60}]


class ClientTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pql = PredicateQL()

    @classmethod
    def tearDownClass(cls):
        cls.pql.close()

    def test_results(self):
        found = self.pql.results("age > $least", PEOPLE, variables={"least": 18}, order=["-age"], fields=["age"])
        self.assertEqual(found, [{"age": 2**60}, {"age": 30}])
        self.assertEqual(self.pql.matches("name IN %@", PEOPLE, ["Bob", "Zoë"]), [1, 2])
        groups = self.pql.results("age > 1", PEOPLE, group={"compute": ["count", "min:age"]})
        self.assertEqual(groups, [{"count": 3, "min_age": 17}])
        self.assertEqual(self.pql.results("age > 1000", PEOPLE[:2]), [])

    def test_translations(self):
        sql, bindings = self.pql.sql("age > %@", 21, dialect="postgresql", table="people", storage="columns")
        self.assertIn('FROM "people"', sql)
        self.assertNotIn("21", sql)
        self.assertEqual(bindings, [21])
        self.assertEqual(self.pql.mongo("name == %@", "O'Neil")["filter"], {"name": "O'Neil"})
        self.assertEqual(self.pql.format({"age": {"$gt": 21}}, assume=True), "age > 21")
        moment = datetime.datetime(2024, 1, 2, tzinfo=datetime.timezone.utc)
        self.assertEqual(self.pql.mongo("at == %@", moment)["filter"], {"at": moment})

    def test_errors(self):
        with self.assertRaises(QueryError) as caught:
            self.pql.mongo("name STARTSWITH 'Zoë'")
        self.assertEqual((caught.exception.code, caught.exception.range), ("syntax", [5, 15]))
        self.assertEqual(caught.exception.fixed("name STARTSWITH 'Zoë'"), "name BEGINSWITH 'Zoë'")
        with self.assertRaises(QueryError) as caught:
            self.pql.mongo("age > 1", limt=5)
        self.assertEqual((caught.exception.code, caught.exception.path), ("request", "limt"))
        with self.assertRaises(QueryError) as caught:
            self.pql.sql("name MATCHES 'a+'", storage="columns")
        self.assertEqual((caught.exception.code, caught.exception.path), ("unsupported", "format"))
        policy = {"fields": ["name"]}
        with self.assertRaises(QueryError) as caught:
            self.pql.results("age > 1", PEOPLE, limit=1, policy=policy)
        self.assertEqual((caught.exception.code, caught.exception.range), ("policyFields", [0, 3]))
        self.assertEqual(self.pql.results("name == 'Bob'", PEOPLE, limit=1, policy=policy), [{"name": "Bob"}])
        self.assertEqual([each["fix"]["replacement"] for each in self.pql.check("name STARTSWITH 'a'")], ["BEGINSWITH"])
        self.assertEqual(self.pql.check("age > %@", 1), [])
        # The process goes on.
        self.assertEqual(self.pql.matches("age > 1", PEOPLE), [0, 1, 2])

    def test_values_that_are_none(self):
        for value in [float("nan"), datetime.datetime(2024, 1, 2), object()]:
            with self.assertRaises((TypeError, ValueError)):
                self.pql.mongo("a == %@", value)

    def test_threads_share_a_client(self):
        answers = {}

        def ask(number):
            answers[number] = [self.pql.mongo("n == %@", number)["filter"]["n"] for _ in range(20)]

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(answers, {number: [number] * 20 for number in range(8)})

    def test_a_file_is_read_by_pages(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "rows.sqlite")
            connection = sqlite3.connect(file)
            connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER)")
            connection.executemany("INSERT INTO t (n) VALUES (?)", [(n,) for n in range(25)])
            connection.commit()
            connection.close()
            with PredicateQL(register=file, table="t") as pql:
                pages = [[row["n"] for row in page] for page in pql.pages("n >= %@", 5, size=8, order=["n"])]
        self.assertEqual(pages, [list(range(5, 13)), list(range(13, 21)), list(range(21, 25))])

    def test_a_tool_that_is_not_there(self):
        with self.assertRaises(ToolError):
            PredicateQL(tool="/no/such/pql")
        pql = PredicateQL()
        pql.close()
        with self.assertRaises(ToolError):
            pql.mongo("a == 1")


if __name__ == "__main__":
    unittest.main()
