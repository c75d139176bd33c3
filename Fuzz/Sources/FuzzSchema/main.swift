import FuzzDriver
import FuzzSupport

fuzz(Checks.schema)
