'use strict';
// The page of `pql play`. The server parses, translates and runs; this draws what it answers. Whatever comes from rows
// or from the query reaches the document as text, never as markup.

// ---------- small things

const $ = id => document.getElementById(id);

/** An element with properties and children; strings become text. */
function el(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element && key !== 'list') element[key] = value; else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** A number as it was written: JavaScript's would round the large ones. */
class Figure {
  constructor(text) { this.text = text; }
  get value() { return Number(this.text); }
  toString() { return this.text; }
}

/** Reads JSON into maps, which keep the order of their keys, and figures. */
function parse(text) {
  const plain = /[^"\\]*/y, figure = /-?[0-9.eE+-]+/y, space = /[ \t\r\n]*/y;
  let at = 0;
  const skip = () => { space.lastIndex = at; space.exec(text); at = space.lastIndex; };
  const string = () => {
    plain.lastIndex = at + 1;
    plain.exec(text);
    let end = plain.lastIndex;
    while (text[end] !== '"') {
      plain.lastIndex = end + 2;
      plain.exec(text);
      end = plain.lastIndex;
    }
    const quoted = text.slice(at, end + 1);
    at = end + 1;
    return JSON.parse(quoted);
  };
  const value = () => {
    skip();
    switch (text[at]) {
      case '{': {
        const map = new Map();
        at++; skip();
        while (text[at] !== '}') {
          skip();
          const key = string();
          skip(); at++;
          map.set(key, value());
          skip();
          if (text[at] === ',') at++;
        }
        at++;
        return map;
      }
      case '[': {
        const list = [];
        at++; skip();
        while (text[at] !== ']') {
          list.push(value());
          skip();
          if (text[at] === ',') at++;
        }
        at++;
        return list;
      }
      case '"': return string();
      case 't': at += 4; return true;
      case 'f': at += 5; return false;
      case 'n': at += 4; return null;
      default: {
        figure.lastIndex = at;
        const found = figure.exec(text);
        if (!found) throw new SyntaxError('not JSON');
        at = figure.lastIndex;
        return new Figure(found[0]);
      }
    }
  };
  return value();
}

/** JSON text of what `parse` reads; `indent` of null for one line. */
function write(value, indent = null) {
  if (value instanceof Figure) return value.text;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const isMap = value instanceof Map;
  const [open, close] = isMap ? '{}' : '[]';
  const inner = indent === null ? null : indent + '  ';
  const parts = isMap ? [...value].map(([k, v]) => JSON.stringify(k) + ': ' + write(v, inner))
    : value.map(v => write(v, inner));
  if (!parts.length) return open + close;
  const short = open + parts.join(', ') + close;
  if (indent === null || (short.length < 72 && !short.includes('\n'))) return short;
  return open + '\n' + inner + parts.join(',\n' + inner) + '\n' + indent + close;
}

/** A value as a person reads it; dates and long numbers are wrapped in Extended JSON. */
function shown(value) {
  if (value instanceof Map && value.size === 1) {
    for (const key of ['$date', '$numberLong', '$numberDouble', '$oid']) {
      const inner = value.get(key);
      if (typeof inner === 'string' || inner instanceof Figure) return String(inner);
    }
  }
  return typeof value === 'string' ? value : write(value);
}

function isNumber(value) {
  return value instanceof Figure || (value instanceof Map && value.size === 1 && value.has('$numberLong'));
}

/** For each UTF-8 offset of a text its offset in UTF-16. */
function offsets(text) {
  const map = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i);
    const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (let b = 0; b < bytes; b++) map.push(i);
    if (code > 0xFFFF) i++;
  }
  map.push(text.length);
  return map;
}

const plural = (number, name) => `${number.toLocaleString('en')} ${name}${number === 1 ? '' : 's'}`;
const place = (map, offset) => map[Math.min(offset.value, map.length - 1)];
const split = text => text.split(',').map(part => part.trim()).filter(part => part);

// A key or value of a group may be a term: TERNARY(age > 20, 'old', 'young') as kind.
const splitKeys = text => {
  let depth = 0;
  const parts = [''];
  for (const character of text) {
    depth += '([{'.includes(character) - ')]}'.includes(character);
    if (character === ',' && depth <= 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map(part => part.trim()).filter(part => part);
};

// ---------- state

const tabs = [
  ['rows', 'Rows', []], ['tree', 'Tree', ['outline']], ['mongo', 'Mongo', ['mongo']], ['sqlite', 'SQLite', ['sqlite']],
  ['postgresql', 'PostgreSQL', ['postgresql']], ['duckdb', 'DuckDB', ['duckdb']], ['plan', 'Plan', ['plan']],
  ['assumptions', 'Assumptions', ['mongo', 'sqlite', 'postgresql', 'duckdb']],
];
const examples = [
  ['Large cities', { text: "state == 'CA' AND population >= 300000", order: '-population' }],
  ['By first letters', { text: "name BEGINSWITH[cd] 'san'" }],
  ['In a list', { text: "ANY aliases CONTAINS[cd] 'york'" }],
  ['Groups', { text: 'population > 100000', by: 'state', compute: 'count, sum:population', order: '-count', limit: '12' }],
];
const pageSize = 100;
let data = { sources: [], words: [], droppedBytes: 0, service: false, devices: false };
let tab = 'rows';
let amount = pageSize;
let tokens = { text: '', list: [] };
let problems = [];
let answer = null;
/** The tab and the data of the answer in the panel. */
let drawnFor = '';
/** The data that a link names and that is not here. */
let lost = '';

const text = $('text');
const mode = () => document.querySelector('input[name=mode]:checked').value;
const source = () => data.sources.find(each => each.id === $('source').value);
const fields = ['order', 'limit', 'by', 'compute'];

// ---------- asking

function request() {
  const outputs = ['tokens', 'problems', ...tabs.find(each => each[0] === tab)[2]];
  const question = { outputs };
  if (mode() === 'mongo') Object.assign(question, { mongo: text.value, assume: $('assume').checked });
  else question.format = text.value.trim() ? text.value : 'TRUEPREDICATE';
  if (mode() === 'mongo') outputs.push('format');
  if ($('order').value.trim()) question.order = split($('order').value);
  if ($('limit').value.trim()) question.limit = Number($('limit').value);
  if ($('by').value.trim() || $('compute').value.trim()) {
    question.group = { by: splitKeys($('by').value), compute: splitKeys($('compute').value || 'count') };
  }
  const from = source();
  if (from && from.form === 'JSON') question.table = from.name.replace(/^.*\//, '').replace(/\..*$/, '') || 'rows';
  if (isService()) Object.assign(question, { profile: 'kinvey', table: $('collection').value || 'rows' });
  return question;
}

let isAsking = false;
let isWaiting = false;

/** Asks for the present text; while an answer is under way only the last change waits. */
async function ask() {
  isWaiting = isAsking;
  if (isAsking) return;
  isAsking = true;
  const question = request();
  const [asked, id] = [tab, $('source').value];
  const start = performance.now();
  try {
    const from = source();
    const place = isService() ? '' : `?source=${encodeURIComponent(from ? from.id : '')}&shown=${amount}`;
    if (isService()) question.outputs.push('format' in question ? 'pql' : 'rest');
    const response = await fetch('query' + place, { method: 'POST', body: JSON.stringify(question) });
    const got = parse(await response.text());
    if (isService() && !got.has('error')) got.set('page', await collection(got.get('format' in question ? 'pql' : 'rest'), question));
    // Of data that is chosen no longer nothing is drawn; the next answer follows.
    if (id === $('source').value) take(question, got, asked, performance.now() - start);
  } catch (error) {
    $('status').textContent = 'The server is not responding: ' + error.message;
  }
  isAsking = false;
  if (isWaiting) ask();
}

function take(question, got, asked, time) {
  answer = got;
  const isText = 'format' in question && text.value.trim() !== '';
  if (isText && Array.isArray(got.get('tokens'))) tokens = { text: question.format, list: got.get('tokens') };
  problems = isText && Array.isArray(got.get('problems')) ? got.get('problems') : [];
  const error = got.get('error');
  // What is wrong elsewhere, such as in a sort key, is no problem of the format.
  const known = problems.some(each => error && each.get('message') === error.get('message'));
  if (error && !known) problems = [...problems, error];
  drawProblems(question);
  colour();
  // The answer for another tab follows.
  if (asked === tab) drawPanel(question, time);
}

function changed() {
  amount = pageSize;
  colour();
  save();
  ask();
}

// ---------- the editor

/** Draws the text with the last tokens: those in the unchanged start and end keep their colours. */
function colour() {
  const now = text.value;
  const marks = new Map();
  const add = (from, to, name) => {
    if (from < to) marks.set(from, [...(marks.get(from) || []), [to, name]]);
  };
  if (mode() === 'format') {
    const before = tokens.text;
    let head = 0, tail = 0;
    while (head < Math.min(now.length, before.length) && now[head] === before[head]) head++;
    while (tail < Math.min(now.length, before.length) - head && now.at(-1 - tail) === before.at(-1 - tail)) tail++;
    const map = offsets(before), shift = now.length - before.length;
    tokens.list.forEach(([kind, from, to], index) => {
      const next = tokens.list[index + 1];
      const isCall = kind === 'word' && next && before[place(map, next[1])] === '(';
      let [start, end] = [place(map, from), place(map, to)];
      // `size.width` names a field; of the reserved words only SELF begins a path.
      if (kind === 'reserved' && (before[start - 1] === '.' || before[end] === '.')
        && before.slice(start, end).toUpperCase() !== 'SELF') return;
      if (start >= before.length - tail) [start, end] = [start + shift, end + shift];
      else if (end > head) return;
      add(start, end, 't-' + (isCall ? 'function' : kind));
    });
    if (now === before) for (const problem of problems) {
      const range = problem.get('range');
      if (!range || problem.get('path') !== 'format') continue;
      add(place(map, range[0]), Math.max(place(map, range[1]), place(map, range[0]) + 1),
        problem.get('level') === 'warning' ? 'warn' : 'bad');
    }
  }
  const edges = new Set([0, now.length]);
  for (const [from, list] of marks) { edges.add(from); for (const [to] of list) edges.add(to); }
  const sorted = [...edges].sort((a, b) => a - b);
  const open = [];
  const parts = [];
  sorted.forEach((from, index) => {
    open.push(...(marks.get(from) || []));
    for (let i = open.length - 1; i >= 0; i--) if (open[i][0] <= from) open.splice(i, 1);
    const to = sorted[index + 1] ?? (open.length ? now.length + 1 : now.length);
    if (to <= from) return;
    const name = open.map(each => each[1]).join(' ');
    // A problem at the end of the text has a place of its own.
    const piece = now.slice(from, to) || ' ';
    parts.push(name ? el('span', { className: from >= now.length ? name + ' gap' : name }, piece) : piece);
  });
  $('colours').replaceChildren(...parts, '\n');
}

/** Replaces a part of the text as if it were typed, so that it can be undone. */
function replace(from, to, by) {
  text.focus();
  text.setSelectionRange(from, to);
  if (!document.execCommand('insertText', false, by)) {
    text.setRangeText(by, from, to, 'end');
    changed();
  }
}

const names = { order: 'Sort by', limit: 'Limit', group: 'Group', mongo: 'Filter', format: '' };

function drawProblems(question) {
  for (const name of fields) $(name).removeAttribute('aria-invalid');
  const drawn = problems.slice(0, 8).map(problem => {
    const where = String(problem.get('path') ?? '');
    const root = where.split(/[.[]/)[0];
    const field = { order: 'order', limit: 'limit' }[root] ?? (where.includes('compute') ? 'compute' : root === 'group' && 'by');
    if (field) $(field).setAttribute('aria-invalid', 'true');
    const level = problem.get('level') === 'warning' ? 'warning' : 'error';
    const line = el('div', { className: 'problem ' + level });
    const name = names[root];
    const inside = root === 'mongo' && where !== root ? ' at ' + where.slice(root.length + 1) : '';
    line.append(el('b', {}, (name ? name + inside + ': ' : '') + problem.get('message')));
    const parts = 'format' in question ? queryParts(question.format, problem) : null;
    const below = parts && parts.filled.map(([name, by]) => `${names[name]} ${by}`).join('; ');
    const hint = parts ? 'fill in below: ' + below : problem.get('hint');
    if (hint) line.append(el('span', {}, hint));
    const fix = problem.get('fix');
    if (parts) line.append(partsButton(question.format, parts));
    else if (fix && 'format' in question) line.append(fixButton(question.format, fix));
    return line;
  });
  if (lost) drawn.unshift(el('div', { className: 'problem warning' },
    el('b', {}, `the link is for ${lost}, which is not open here`), el('span', {}, 'open it, or choose other data')));
  if (problems.length > 8) drawn.push(el('div', { className: 'problem error' }, `and ${problems.length - 8} more`));
  if (mode() === 'mongo' && answer && typeof answer.get('format') === 'string') {
    const format = answer.get('format');
    const use = el('button', { type: 'button' }, 'Use as predicate');
    use.addEventListener('click', () => { setMode('format'); text.value = format; changed(); text.focus(); });
    drawn.push(el('div', { className: 'found' }, el('span', {}, 'As a predicate'), el('code', {}, format), use));
  }
  $('problems').replaceChildren(...drawn);
  text.setAttribute('aria-invalid', String(problems.some(each => each.get('level') !== 'warning')));
}

/** Realm's `SORT(age DESC) LIMIT(5)` behind a condition as fields of the page; null for all else, and for other orders. */
function queryParts(before, problem) {
  const range = problem.get('range');
  if (!range || problem.get('path') !== 'format' || tokens.text !== before) return null;
  const map = offsets(before);
  const words = tokens.list.map(([kind, from, to]) => {
    const [start, end] = [place(map, from), place(map, to)];
    return { kind, start, end, text: before.slice(start, end) };
  });
  const first = words.findIndex(each => each.start === place(map, range[0]));
  const head = words.slice(0, Math.max(first, 0));
  const amountOf = sign => head.filter(each => each.text === sign).length;
  // What remains has to be a whole condition, or nothing.
  if (first < 0 || amountOf('(') !== amountOf(')')
    || ['logical', 'comparison', 'operator'].includes(head.at(-1)?.kind)) return null;
  const filled = [];
  for (let at = first; at < words.length;) {
    const name = { SORT: 'order', LIMIT: 'limit' }[words[at].text.toUpperCase()];
    const close = words.findIndex((each, index) => index > at && each.text === ')');
    // A limit before the order, and a second order, mean other rows.
    const isAfter = filled.some(each => each[0] === name || each[0] === 'limit');
    if (!name || isAfter || close < 0 || words[at + 1].text !== '(') return null;
    const inner = before.slice(words[at + 1].end, words[close].start).trim();
    const by = name === 'order' ? sortKeys(inner) : /^[0-9]+$/.test(inner) && inner;
    if (!by) return null;
    filled.push([name, by]);
    at = close + 1;
  }
  return { filled, start: head.at(-1)?.end ?? 0 };
}

/** `age DESC, name ASC` as `-age, name`; null for what is none. */
function sortKeys(keys) {
  const parts = keys.split(',').map(key => /^\s*([\p{L}\p{N}_.]+)(?:\s+(ASC|DESC)(?:ENDING)?)?\s*$/iu.exec(key));
  if (!parts.every(each => each)) return null;
  return parts.map(([, path, way]) => (way?.toUpperCase() === 'DESC' ? '-' : '') + path).join(', ');
}

function partsButton(before, { filled, start }) {
  const named = filled.map(each => names[each[0]]).join(' and ');
  const button = el('button', { type: 'button', className: 'strong fix', title: `moves them to ${named}` }, `Fix: ${named}`);
  button.addEventListener('click', () => {
    if (text.value !== before) return;
    for (const [name, by] of filled) $(name).value = by;
    replace(start, before.length, '');
  });
  return button;
}

function fixButton(before, fix) {
  const map = offsets(before);
  const [from, to] = fix.get('range').map(each => place(map, each));
  const by = fix.get('replacement');
  const after = before.slice(0, from) + by + before.slice(to);
  const button = el('button', { type: 'button', className: 'strong fix', title: after },
    by.trim() ? `Fix: ${by.length > 40 ? by.slice(0, 40) + '…' : by}` : 'Fix');
  button.addEventListener('click', () => { if (text.value === before) replace(from, to, by); });
  return button;
}

// ---------- completion

let choices = [];
let chosen = 0;

function word() {
  const end = text.selectionStart;
  const start = end - /[#$@]?[\p{L}\p{N}_.]*$/u.exec(text.value.slice(0, end))[0].length;
  return { start, end, text: text.value.slice(start, end) };
}

/** Whether the caret is inside a text in quotes, as the server reads it. */
function isQuoted(at) {
  if (tokens.text !== text.value) return /^[^"']*(["'])(?:(?!\1).)*$/.test(text.value.slice(0, at));
  const map = offsets(tokens.text);
  return tokens.list.some(([kind, from, to]) =>
    (kind === 'string' && place(map, from) < at && at < place(map, to))
    || (kind === 'invalid' && place(map, from) < at && '"\''.includes(tokens.text[place(map, from)])));
}

function complete(isForced) {
  const part = word();
  const typed = part.text.toLowerCase();
  const isWanted = mode() === 'format' && text.selectionStart === text.selectionEnd && (typed || isForced)
    && !/^[0-9.]/.test(typed) && !isQuoted(part.end);
  const all = isWanted ? [...paths(), ...data.words] : [];
  const begins = all.filter(each => each.text.toLowerCase().startsWith(typed));
  const holds = typed.length > 1 ? all.filter(each => each.text.toLowerCase().indexOf(typed) > 0) : [];
  choices = [...begins, ...holds].slice(0, 50);
  if (choices.length === 1 && choices[0].text === part.text) choices = [];
  chosen = 0;
  drawChoices(part);
}

function paths() {
  const from = source();
  return from ? from.fields.map(([path, kind]) => ({ text: path, kind: 'field', about: kind })) : [];
}

function drawChoices(part) {
  const list = $('words');
  const isOpen = choices.length > 0;
  list.hidden = !isOpen;
  text.setAttribute('aria-expanded', String(isOpen));
  if (!isOpen) { text.removeAttribute('aria-activedescendant'); return; }
  list.replaceChildren(...choices.map((choice, index) => {
    const item = el('li', { id: 'word-' + index, role: 'option', 'aria-selected': String(index === chosen) },
      el('code', {}, choice.text), el('small', {}, choice.kind === 'field' ? choice.about : choice.about || choice.kind));
    item.addEventListener('mousedown', event => { event.preventDefault(); chosen = index; accept(); });
    return item;
  }));
  if (part) {
    const mark = el('span');
    const before = el('pre', { className: 'measure' }, text.value.slice(0, part.start), mark);
    before.style.visibility = 'hidden';
    $('editor').append(before);
    const room = $('editor').clientWidth - list.offsetWidth;
    list.style.left = Math.max(0, Math.min(mark.offsetLeft, room)) + 'px';
    list.style.top = mark.offsetTop + 28 + 'px';
    before.remove();
  }
  select(chosen);
}

function select(index) {
  const items = $('words').children;
  items[chosen]?.setAttribute('aria-selected', 'false');
  chosen = (index + items.length) % items.length;
  items[chosen].setAttribute('aria-selected', 'true');
  items[chosen].scrollIntoView({ block: 'nearest' });
  text.setAttribute('aria-activedescendant', 'word-' + chosen);
}

function accept() {
  const choice = choices[chosen];
  const part = word();
  closeChoices();
  if (!choice) return;
  const isCall = choice.kind === 'function' && text.value[part.end] !== '(';
  replace(part.start, part.end, choice.text + (isCall ? '(' : ''));
  closeChoices();
}

function closeChoices() {
  choices = [];
  drawChoices();
}

// ---------- the answer

$('tabs').append(...tabs.map(([id, name]) => {
  const button = el('button', { type: 'button', role: 'tab', id: 'tab-' + id, 'aria-controls': 'panel' }, name);
  button.addEventListener('click', () => show(id));
  return button;
}));

function drawTabs() {
  for (const [id] of tabs) {
    $('tab-' + id).setAttribute('aria-selected', String(id === tab));
    $('tab-' + id).tabIndex = id === tab ? 0 : -1;
  }
  $('panel').setAttribute('aria-labelledby', 'tab-' + tab);
}

function show(id, isFocused = false) {
  tab = id;
  drawTabs();
  if (isFocused) $('tab-' + id).focus();
  $('panel').classList.add('stale');
  save();
  ask();
}

function drawPanel(question, time) {
  const panel = $('panel');
  const error = answer.get('error');
  panel.classList.toggle('stale', Boolean(error));
  const page = answer.get('page');
  drawStatus(page, error, time);
  const shownFor = `${tab} ${$('source').value}`;
  // While a query is being typed, the last answer stays in sight, in grey; that of other data or another tab does not.
  if (error) {
    if (drawnFor !== shownFor || panel.querySelector('.none')) {
      panel.classList.remove('stale');
      panel.replaceChildren(el('p', { className: 'none' }, 'No answer: see above.'));
    }
    return;
  }
  drawnFor = shownFor;
  const draw = { rows: drawRows, tree: drawTree, mongo: drawMongo, plan: drawPlan, assumptions: drawAssumptions }[tab];
  panel.replaceChildren(draw ? draw(question) : drawSQL(answer.get(tab)));
}

function drawStatus(page, error, time) {
  const took = `${time < 10 ? time.toFixed(1) : Math.round(time)} ms`;
  if (error) $('status').textContent = 'no answer: the query has a mistake';
  else if (!page) $('status').textContent = took;
  else if (page.has('error')) $('status').textContent = 'no rows: ' + page.get('error').get('message');
  else $('status').textContent = `${counted(page.get('total').value)} · ${took}`;
}

function counted(number) {
  const name = $('by').value.trim() || $('compute').value.trim() ? 'group' : 'row';
  return plural(number, name);
}

function refusal(error) {
  return el('div', { className: 'text' }, el('div', { className: 'problem error' },
    el('b', {}, error.get('message')), error.get('hint') ? el('span', {}, error.get('hint')) : ''));
}

function drawRows(question) {
  const page = answer.get('page');
  if (!page) return el('p', { className: 'none' }, 'There is no data: drop a file here.');
  if (page.has('error')) return refusal(page.get('error'));
  const rows = page.get('rows');
  const total = page.get('total').value;
  if (!rows.length) return el('p', { className: 'none' }, total ? counted(total) : 'No row matches.');
  const columns = [...new Set(rows.flatMap(row => [...row.keys()]))];
  const numeric = new Set(columns.filter(name => rows.every(row => !row.has(name) || row.get(name) === null
    || isNumber(row.get(name)))));
  const head = el('tr', {}, ...columns.map(name => el('th', { scope: 'col', className: numeric.has(name) ? 'number' : '' }, name)));
  const body = el('tbody', {}, ...rows.map(row => drawRow(row, columns, numeric)));
  walk(body);
  const result = el('div');
  if (question.group) result.append(drawChart(rows, question.group.by.length));
  result.append(el('div', { className: 'scroll' }, el('table', {}, el('thead', {}, head), body)));
  if (rows.length < total) {
    const more = el('button', { type: 'button' }, `Show ${Math.min(pageSize, total - rows.length)} more`);
    more.addEventListener('click', () => { amount = rows.length + pageSize; ask(); });
    const isFull = rows.length >= 5000;
    result.append(el('div', { className: 'more' }, `${rows.length.toLocaleString('en')} of ${counted(total)} shown`,
      isFull ? 'no more rows fit on this page; narrow the query' : more));
  }
  return result;
}

function drawRow(row, columns, numeric) {
  const line = el('tr', {}, ...columns.map(name => {
    if (!row.has(name)) return el('td');
    const value = row.get(name);
    const cell = el('td', { className: numeric.has(name) ? 'number' : '' });
    const string = shown(value);
    // A cell shows a line; the row shows everything.
    cell.textContent = string.length > 200 ? string.slice(0, 200) + '…' : string;
    if (value === null) cell.classList.add('dim');
    return cell;
  }));
  const toggle = () => {
    const next = line.nextElementSibling;
    if (next && next.className === 'whole') return next.remove();
    line.after(el('tr', { className: 'whole' }, el('td', { colSpan: columns.length }, write(row, ''))));
  };
  line.addEventListener('click', toggle);
  line.addEventListener('keydown', event => { if (event.key === 'Enter') toggle(); });
  return line;
}

/** Rows are one stop of the tab key; arrows move among them, and Enter shows a whole one. */
function walk(body) {
  body.firstElementChild.tabIndex = 0;
  body.addEventListener('keydown', event => {
    const way = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key];
    let next = way && document.activeElement[way];
    while (next && next.className === 'whole') next = next[way];
    if (!next) return;
    event.preventDefault();
    document.activeElement.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}

function drawChart(rows, keys) {
  const first = rows[0];
  const names = [...first.keys()];
  const name = names.slice(keys).find(each => rows.every(row => row.get(each) === null || isNumber(row.get(each))));
  if (!name || rows.length < 2) return '';
  const bars = rows.slice(0, 24).map(row => {
    const value = row.get(name);
    return { label: names.slice(0, keys).map(key => shown(row.get(key) ?? null)).join(', ') || 'all', value,
      size: value === null ? 0 : Math.abs(Number(shown(value))) };
  });
  const most = Math.max(...bars.map(bar => bar.size), 1e-300);
  const rest = rows.length > bars.length ? `, the first ${bars.length} groups` : '';
  const chart = el('div', { className: 'chart', role: 'img', 'aria-label': `${name} by group, as in the table below` },
    el('h3', {}, name + rest));
  for (const bar of bars) {
    const fill = el('div', { className: 'fill' });
    fill.style.width = (100 * bar.size / most) + '%';
    chart.append(el('span', { className: 'label', title: bar.label }, bar.label),
      el('div', { className: 'track' }, fill), el('span', { className: 'number' }, shown(bar.value)));
  }
  return chart;
}

function drawTree() {
  const root = answer.get('outline');
  if (!root) return '';
  if (root instanceof Map && root.has('error')) return refusal(root.get('error'));
  const gap = 14, high = 62;
  let right = 0;
  const boxes = [], lines = [];
  const lay = (node, depth) => {
    const label = node.get('label').length > 40 ? node.get('label').slice(0, 39) + '…' : node.get('label');
    const kind = node.get('kind');
    const width = Math.max(label.length, (kind || '').length * .85) * 8 + 22;
    const children = node.get('children').map(child => lay(child, depth + 1));
    let x;
    if (children.length) {
      x = (children[0].x + children.at(-1).x) / 2;
      // A wide parent of narrow children needs room on its right.
      right = Math.max(right, x + width / 2 + gap);
    } else {
      x = right + width / 2;
      right += width + gap;
    }
    const box = { x, y: depth * high, width, label, kind, full: node.get('label') };
    for (const child of children) lines.push([box, child]);
    boxes.push(box);
    return box;
  };
  lay(root, 0);
  const left = Math.min(...boxes.map(box => box.x - box.width / 2)) - 2;
  const bottom = Math.max(...boxes.map(box => box.y)) + 46;
  const svg = (name, attributes, ...children) => {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  };
  const width = Math.max(...boxes.map(box => box.x + box.width / 2)) - left + 4;
  const image = svg('svg', { width, height: bottom, viewBox: `${left} -2 ${width} ${bottom}`, role: 'img',
    'aria-label': spoken(root) });
  for (const [from, to] of lines) {
    const middle = (from.y + 38 + to.y) / 2;
    image.append(svg('path', { d: `M${from.x} ${from.y + 38}V${middle}H${to.x}V${to.y}` }));
  }
  for (const box of boxes) {
    const isBranch = box.kind === null;
    const parts = [svg('title', {}, box.full),
      svg('rect', { x: box.x - box.width / 2, y: box.y, width: box.width, height: 38, rx: isBranch ? 19 : 6 }),
      svg('text', { x: box.x, y: box.y + (box.kind ? 17 : 24) }, box.label)];
    if (box.kind) parts.push(svg('text', { x: box.x, y: box.y + 31, class: 'kind' }, box.kind));
    image.append(svg('g', { class: isBranch ? 'branch' : 'leaf' }, ...parts));
  }
  return el('div', { className: 'tree' }, image);
}

function spoken(node) {
  const children = node.get('children').map(spoken);
  return node.get('label') + (children.length ? ' of (' + children.join('; ') + ')' : '');
}

function block(title, content) {
  const copy = el('button', { type: 'button' }, 'Copy');
  copy.addEventListener('click', () => copyText(content, copy));
  return el('section', {}, el('h3', {}, title), el('div', { className: 'copied' }, el('pre', {}, content), copy));
}

function list(title, items, isOrdered = false) {
  if (!items.length) return '';
  return el('section', {}, el('h3', {}, title), el(isOrdered ? 'ol' : 'ul', {}, ...items.map(item => el('li', {}, item))));
}

function drawMongo(question) {
  const mongo = answer.get('mongo');
  if (mongo.has('error')) return refusal(mongo.get('error'));
  const titles = { filter: 'Filter', sort: 'Sort', projection: 'Projection', skip: 'Skip', limit: 'Limit', pipeline: 'Pipeline' };
  const result = el('div', { className: 'text' });
  for (const [key, value] of mongo) if (titles[key]) result.append(block(titles[key], write(value, '')));
  result.append(list('Assumes', assumed(mongo.get('assumptions'))));
  return result;
}

function drawSQL(statement) {
  if (!statement) return '';
  if (statement.has('error')) return refusal(statement.get('error'));
  return el('div', { className: 'text' }, block('Statement', statement.get('sql')),
    list('Bindings, in order', statement.get('bindings').map(value => write(value)), true),
    list('Functions of the library that it calls', statement.get('functions').map(each => each.get('name'))),
    list('Assumes', assumed(statement.get('assumptions'))));
}

function drawPlan() {
  const plan = answer.get('plan');
  if (plan.has('error')) return refusal(plan.get('error'));
  return el('div', { className: 'text' }, list('Steps', plan.get('steps'), true),
    plan.has('store') ? list('How SQLite runs it', plan.get('store')) : '',
    plan.has('indexes') ? list('Indexes that would help', plan.get('indexes')) : '',
    block('Normalized condition', plan.get('normalized')),
    el('p', { className: 'dim' }, `Estimated cost: ${plan.get('cost')} steps a row`));
}

function assumed(list) {
  return (list || []).map(each => {
    const [kind, value] = [...each][0];
    const [path, detail] = Array.isArray(value) ? value : [value];
    return {
      single: `${path} holds single values, no lists`, list: `${path} holds lists`,
      objects: `${path} holds objects, or lists of objects`, kind: `${path} holds values of the kind ${detail}`,
      date: `${path} holds dates in the form ${detail}`, json: `${path} holds lists and objects as JSON text`,
    }[kind] || write(each);
  });
}

function drawAssumptions() {
  const result = el('div', { className: 'text' });
  for (const [id, name] of tabs) {
    const part = answer.get(id);
    if (!(part instanceof Map) || !['mongo', 'sqlite', 'postgresql', 'duckdb'].includes(id)) continue;
    const lines = part.has('error') ? ['not supported: ' + part.get('error').get('message')] : assumed(part.get('assumptions'));
    result.append(list(name, lines.length ? lines : ['nothing: it holds for data of any kind']));
  }
  result.append(el('p', { className: 'dim' }, 'What a translation takes for granted where no schema declares it. '
    + 'A row that is different may be found there and not in memory, or the other way round.'));
  return result;
}

// ---------- data

function isService() { return $('source').value === 'service'; }

const shortName = each => each.name.replace(/^.*\//, '');

/** Whether the examples can be asked: their fields are there. */
function isCities() {
  return ['name', 'state', 'population', 'aliases'].every(name => source()?.fields.some(each => each[0] === name));
}

async function loadData(chosenName) {
  data = JSON.parse(await (await fetch('data')).text());
  const options = data.sources.map(each =>
    el('option', { value: each.id, title: each.name },
      `${shortName(each)} (${plural(each.rows, 'row')})`));
  $('pages').hidden = !data.devices;
  if (data.service) options.push(el('option', { value: 'service' }, 'A collection of the service…'));
  $('source').replaceChildren(...options);
  const found = data.sources.find(each => each.name === chosenName);
  if (found) $('source').value = found.id;
  sourceChanged();
}

function sourceChanged() {
  $('login').hidden = !isService();
  lost = '';
  const from = source();
  const numbers = (from?.fields ?? []).filter(each => each[1] === 'number' && !each[0].includes('.')).map(each => each[0]);
  // The mean of what identifies rows says little.
  const number = numbers.find(each => !/^_?id$/i.test(each)) ?? numbers[0];
  const string = from?.fields.filter(each => each[1] === 'string').at(-1)?.[0];
  $('order').placeholder = number ? '-' + number : string ?? '';
  $('by').placeholder = string ?? number ?? '';
  $('compute').placeholder = 'count' + (number ? ', avg:' + number : '');
  $('examples').replaceChildren(...(isCities() ? examples : []).map(([name, example]) => {
    const button = el('button', { type: 'button' }, name);
    button.addEventListener('click', () => {
      setMode('format');
      text.value = example.text;
      for (const field of fields) $(field).value = example[field] || '';
      changed();
    });
    return button;
  }));
}

async function load(file) {
  if (file.size > data.droppedBytes) {
    $('status').textContent = `${file.name} is larger than ${data.droppedBytes >> 20} MiB; start with: pql play ${file.name}`;
    return;
  }
  $('status').textContent = `Reading ${file.name}…`;
  try {
    const response = await fetch('data?name=' + encodeURIComponent(file.name), { method: 'POST', body: file });
    const got = await response.json();
    if (got.error) {
      const lines = [got.error.message, got.error.hint].filter(each => each);
      $('problems').replaceChildren(el('div', { className: 'problem error' }, el('b', {}, lines[0]),
        lines[1] ? el('span', {}, lines[1]) : ''));
      $('status').textContent = `${file.name} was not loaded`;
      return;
    }
    if (!$('devices').hidden) showView(false);
    await loadData(got.sources[0].name);
    $('source').value = got.sources[0].id;
    sourceChanged();
    text.value = '';
    for (const field of fields) $(field).value = '';
    changed();
  } catch (error) {
    $('status').textContent = `${file.name} was not loaded: ${error.message}`;
  }
}

// The service is asked with the login that was typed, through the routes that every client uses.

/** Sends the tree of a query, or a typed filter as its request. */
async function collection(asked, question) {
  const [key, name] = [$('app').value.trim(), $('collection').value.trim()];
  const failure = message => new Map([['error', new Map([['message', message], ['hint', null]])]]);
  if (!key || !name) return failure('type an app key, its secret and a collection');
  if (asked.has('error')) return asked;
  const login = 'Basic ' + base64($('user').value ? `${$('user').value}:${$('password').value}` : `${key}:${$('secret').value}`);
  const base = `/appdata/${encodeURIComponent(key)}/${encodeURIComponent(name)}`;
  const send = async (path, body) => {
    const options = { headers: { Authorization: login } };
    if (body) Object.assign(options, { method: 'POST', body, headers: { ...options.headers, 'Content-Type': 'application/json' } });
    const response = await fetch(base + path, options);
    const got = parse(await response.text());
    if (!response.ok) throw new Error(got.get('debug') || got.get('description') || response.statusText);
    return got;
  };
  try {
    const isTree = 'format' in question;
    if (question.group) {
      const rows = await send('/_group', isTree ? `{"pql": ${write(asked)}}` : asked.get('body'));
      return new Map([['rows', rows.slice(0, amount)], ['total', new Figure(String(rows.length))]]);
    }
    const most = question.limit ?? Infinity;
    if (isTree) {
      asked.delete('limit');
      const count = await send('/_count', `{"pql": ${write(asked)}}`);
      asked.set('limit', new Figure(String(Math.min(most, amount))));
      const rows = await send('/_find', `{"pql": ${write(asked)}}`);
      return new Map([['rows', rows], ['total', new Figure(String(Math.min(count.get('count').value, most)))]]);
    }
    const items = new URLSearchParams(asked.get('query'));
    items.delete('limit');
    const count = await send('/_count?' + new URLSearchParams(items.has('query') ? { query: items.get('query') } : {}));
    items.set('limit', String(Math.min(most, amount)));
    const rows = await send('?' + items);
    const total = Math.min(count.get('count').value, most);
    return new Map([['rows', rows], ['total', new Figure(String(total))]]);
  } catch (error) {
    return failure('the service replied: ' + error.message);
  }
}

function base64(string) {
  return btoa(String.fromCharCode(...new TextEncoder().encode(string)));
}

// ---------- links

function setMode(name) {
  document.querySelector(`input[name=mode][value=${name}]`).checked = true;
  modeChanged();
}

function modeChanged() {
  document.querySelector('.assume').hidden = mode() !== 'mongo';
  text.setAttribute('aria-label', mode() === 'mongo' ? 'Mongo filter' : 'Query text');
  text.placeholder = mode() === 'mongo' ? '' : 'All rows; Ctrl+Space lists fields and words';
}

/** What links call a source: its file, with the folder where two files have one name. */
function linkName(id) {
  const from = data.sources.find(each => each.id === id);
  if (!from) return id;
  return data.sources.some(each => each.id !== id && shortName(each) === shortName(from)) ? from.name : shortName(from);
}

/** Keeps the question in the address with the name of its data, without rows and without logins. */
function save() {
  const kept = new URLSearchParams();
  if ($('source').value) kept.set('source', linkName($('source').value));
  if (text.value) kept.set('q', text.value);
  for (const field of fields) if ($(field).value) kept.set(field, $(field).value);
  if (mode() !== 'format') kept.set('mode', mode());
  if (tab !== 'rows') kept.set('tab', tab);
  $('to-queries').href = '#' + kept;
  if (!$('queries').hidden) history.replaceState(null, '', '#' + kept);
}

function restore() {
  showView(wantsDevices());
  // What was typed stays, for the way back.
  if (wantsDevices()) return;
  $('to-queries').href = location.hash || '#';
  const isNew = location.hash.length <= 1;
  const { text: q, order } = examples[0][1];
  const kept = new URLSearchParams(isNew && isCities() ? { q, order } : location.hash.slice(1));
  restoreSource(kept.get('source'));
  text.value = kept.get('q') ?? '';
  for (const field of fields) $(field).value = kept.get(field) ?? '';
  setMode(kept.get('mode') === 'mongo' ? 'mongo' : 'format');
  if (tabs.some(each => each[0] === kept.get('tab'))) tab = kept.get('tab');
}

/** Chooses the data that a link names; a link without a name is for any. */
function restoreSource(name) {
  if (name === null) return;
  const found = [...$('source').options].find(each => linkName(each.value) === name);
  if (found && !found.selected) {
    $('source').value = found.value;
    sourceChanged();
  }
  lost = found ? '' : name;
}

async function copyText(string, button) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(string);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not copied';
  }
  setTimeout(() => { button.textContent = before; }, 1500);
}

// ---------- two devices

const ruleOf = () => document.querySelector('input[name=rule]:checked').value;
const capital = string => string[0].toUpperCase() + string.slice(1);
let session = null;
let world = null;
let lastExchange = 0;
let isPlaying = false;
/** The last text of each to-do, by which removed ones are named. */
const texts = new Map();
let before = Promise.resolve();

const wantsDevices = () => new URLSearchParams(location.hash.slice(1)).get('view') === 'devices';

function showView(isDevices) {
  const isShown = isDevices && data.devices;
  $('devices').hidden = !isShown;
  for (const id of ['queries', 'data', 'share']) $(id).hidden = isShown;
  for (const [id, isCurrent] of [['to-queries', !isShown], ['to-devices', isShown]]) {
    if (isCurrent) $(id).setAttribute('aria-current', 'page'); else $(id).removeAttribute('aria-current');
  }
  document.title = isShown ? 'Two devices – PredicateQL' : 'PredicateQL playground';
  if (isShown && session === null) {
    session = '';
    act({}, true);
  }
}

/** Asks the server for one action after the other, and draws how things are then; whether it was done. */
function act(request, isNew = false) {
  before = before.then(async () => {
    try {
      const question = isNew ? {} : { ...request, session, seen: lastExchange };
      const response = await fetch('devices', { method: 'POST', body: JSON.stringify(question) });
      const got = await response.json();
      if (got.error) {
        tellNews([got.error.message, got.error.hint].filter(each => each).join('; '), true);
        return false;
      }
      if (got.session !== session) restart(got.session);
      world = got;
      drawWorld(got);
      if (got.news) tellNews(got.news, got.isError);
      return !got.isError;
    } catch (error) {
      tellNews('The server is not responding: ' + error.message, true);
      return false;
    }
  });
  return before;
}

function restart(name) {
  session = name;
  lastExchange = 0;
  texts.clear();
  $('wire').replaceChildren();
  $('steps').replaceChildren();
  $('steps').hidden = true;
  tellNews('', false);
}

function tellNews(string, isError) {
  $('news').textContent = string;
  $('news').classList.toggle('failed', isError);
}

function drawWorld(got) {
  if (!$('world').childElementCount) {
    const [phone, laptop] = got.devices;
    $('world').append(deviceCard(phone.name), serviceCard(), deviceCard(laptop.name));
  }
  for (const row of [...got.service, ...got.devices.flatMap(each => each.rows)]) texts.set(row.id, row.text);
  // An element that goes takes the focus with it.
  const held = document.activeElement.closest?.('.device');
  for (const device of got.devices) drawDevice(device);
  const drawn = got.service.map(row => el('li', { className: row.isDone ? 'done' : '' },
    el('span', { className: 'text' }, row.text), row.isDone ? el('span', { className: 'hidden' }, ' (done)') : ''));
  $('service-rows').replaceChildren(...(drawn.length ? drawn : [el('li', { className: 'dim' }, 'Nothing')]));
  if (held && document.activeElement === document.body) held.querySelector('form input').focus();
  for (const exchange of got.wire) {
    lastExchange = exchange.number;
    $('wire').prepend(drawExchange(exchange));
  }
  while ($('wire').childElementCount > 100) $('wire').lastChild.remove();
  $('no-wire').hidden = $('wire').childElementCount > 0;
}

function serviceCard() {
  return el('section', { className: 'device', 'aria-labelledby': 'service-title' },
    el('div', { className: 'head' }, el('h2', { id: 'service-title' }, 'Service')),
    el('ul', { id: 'service-rows', 'aria-label': 'To-dos of the service' }));
}

function deviceCard(name) {
  const network = el('button', { type: 'button', role: 'switch', className: 'network', id: name + '-network',
    'aria-checked': 'true', 'aria-label': `Network of the ${name}` }, 'Network');
  network.addEventListener('click', () =>
    act({ action: 'network', device: name, isOnline: network.getAttribute('aria-checked') !== 'true' }));
  const sync = el('button', { type: 'button', className: 'strong', id: name + '-sync',
    'aria-label': `Sync the ${name}` }, 'Sync');
  sync.addEventListener('click', () => act({ action: 'sync', device: name, rule: ruleOf() }));
  const field = el('input', { id: name + '-new', autocomplete: 'off', maxLength: 200, placeholder: 'New to-do',
    'aria-label': `New to-do on the ${name}` });
  const form = el('form', {}, field, el('button', { type: 'submit', 'aria-label': `Add to the ${name}` }, 'Add'));
  form.addEventListener('submit', async event => {
    event.preventDefault();
    const typed = field.value;
    if (!typed.trim()) { field.focus(); return; }
    field.value = '';
    if (!await act({ action: 'add', device: name, text: typed }) && !field.value) field.value = typed;
  });
  return el('section', { className: 'device', id: name, 'aria-labelledby': name + '-title' },
    el('div', { className: 'head' }, el('h2', { id: name + '-title' }, capital(name)),
      el('span', { className: 'badge', id: name + '-offline', hidden: true }, 'offline'), network, sync),
    el('ul', { id: name + '-rows', 'aria-label': `To-dos of the ${name}` }), form,
    el('div', { className: 'waiting' }, el('h3', { id: name + '-waiting-title' }, 'Waiting to be sent'),
      el('ul', { id: name + '-waiting', 'aria-labelledby': name + '-waiting-title' })));
}

const kinds = { create: 'new', update: 'changed', delete: 'removed' };

function drawDevice({ name, isOnline, rows, pending }) {
  $(name).classList.toggle('offline', !isOnline);
  $(name + '-network').setAttribute('aria-checked', String(isOnline));
  $(name + '-offline').hidden = isOnline;
  const list = $(name + '-rows');
  const old = new Map([...list.children].map(item => [item.dataset.id, item]));
  rows.forEach((row, index) => {
    const item = old.get(row.id) || rowItem(name, row);
    old.delete(row.id);
    // Moving an element would take the focus off it.
    if (list.children[index] !== item) list.insertBefore(item, list.children[index] || null);
    item.className = row.isDone ? 'done' : '';
    const [check, field, badge, remove] = item.children;
    check.checked = row.isDone;
    if (field.value === field.defaultValue || document.activeElement !== field) field.value = row.text;
    field.defaultValue = row.text;
    check.setAttribute('aria-label', `Done on the ${name}: ${row.text}`);
    field.setAttribute('aria-label', `Text on the ${name}: ${row.text}`);
    remove.setAttribute('aria-label', `Remove from the ${name}: ${row.text}`);
    badge.textContent = kinds[row.waits] ?? '';
    badge.hidden = !row.waits;
  });
  for (const item of old.values()) item.remove();
  $(name + '-waiting-title').textContent = `Waiting to be sent (${pending.length})`;
  const waiting = pending.map(({ id, kind, attempts, fault }) => el('li', {},
    el('span', { className: 'badge' }, kinds[kind]), el('span', {}, rows.find(row => row.id === id)?.text ?? texts.get(id) ?? id),
    attempts ? el('span', { className: 'dim' }, `sent ${attempts === 1 ? 'once' : attempts + ' times'} without an answer`) : '',
    fault ? el('span', { className: 'dim' }, fault) : ''));
  $(name + '-waiting').replaceChildren(...(waiting.length ? waiting : [el('li', { className: 'dim' }, 'Nothing')]));
}

function rowItem(name, row) {
  const check = el('input', { type: 'checkbox' });
  const field = el('input', { className: 'text', defaultValue: row.text, autocomplete: 'off', maxLength: 200 });
  const remove = el('button', { type: 'button' }, '×');
  const item = el('li', {}, check, field, el('span', { className: 'badge', hidden: true }), remove);
  item.dataset.id = row.id;
  check.addEventListener('change', () => act({ action: 'edit', device: name, id: row.id, isDone: check.checked }));
  field.addEventListener('change', async () => {
    const typed = field.value;
    field.defaultValue = typed;
    if (!await act({ action: 'edit', device: name, id: row.id, text: typed })) redraw();
  });
  field.addEventListener('keydown', event => {
    if (event.key === 'Escape') field.value = field.defaultValue;
  });
  remove.addEventListener('click', () => act({ action: 'remove', device: name, id: row.id }));
  return item;
}

/** Shows what the stores hold in place of what was typed and refused. */
function redraw() { drawWorld({ ...world, wire: [] }); }

function drawExchange({ device, method, target, headers, body, status, answerHeaders, answer }) {
  let read = target;
  try { read = decodeURIComponent(target); } catch { /* shown as it was sent */ }
  const lines = (first, more, content) => [first, ...more, ...(content ? ['', laidOut(content)] : [])].join('\n');
  const parts = [block('Request', lines(`${method} ${read}`, headers, body))];
  if (status !== null) parts.push(block('Answer', lines(String(status), answerHeaders, answer)));
  return el('li', {}, el('details', {}, el('summary', {},
    el('span', { className: 'from' }, capital(device)), el('code', {}, `${method} ${read}`),
    el('span', { className: 'status' + (status !== null && status < 400 ? '' : ' failed') }, String(status ?? 'no network'))),
  el('div', { className: 'text' }, ...parts)));
}

function laidOut(json) {
  try { return write(parse(json), ''); } catch { return json; }
}

/** Both devices change one to-do without a network, then sync, one after the other. */
async function playConflict() {
  if (isPlaying) return;
  isPlaying = true;
  $('conflict').setAttribute('aria-disabled', 'true');
  const pause = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 500;
  const at = (name, action, more = {}) => act({ action, device: name, rule: ruleOf(), ...more });
  const both = async (action, more) => await at('phone', action, more) && await at('laptop', action, more);
  const rows = index => world.devices[index].rows;
  let id = null;
  const steps = [
    ['Both have the to-do “Buy milk”.', async () => {
      if (!await both('network', { isOnline: true }) || !await both('sync')) return false;
      if (!rows(0).length && !await at('phone', 'add', { text: 'Buy milk' })) return false;
      id = rows(0)[0].id;
      return await at('phone', 'edit', { id, text: 'Buy milk', isDone: false }) && await both('sync');
    }],
    ['Both lose the network.', () => both('network', { isOnline: false })],
    ['The phone changes it to “Buy oat milk”.', () => at('phone', 'edit', { id, text: 'Buy oat milk' })],
    ['The laptop changes it to “Buy soy milk”.', () => at('laptop', 'edit', { id, text: 'Buy soy milk' })],
    ['Both have a network again; the phone syncs first.', async () =>
      await both('network', { isOnline: true }) && at('phone', 'sync')],
    ['The laptop syncs.', () => at('laptop', 'sync')],
    ['The phone syncs once more.', () => at('phone', 'sync')],
  ];
  const lines = steps.map(([name]) => el('li', {}, name));
  $('steps').replaceChildren(...lines);
  $('steps').hidden = false;
  let isDone = true;
  for (const [index, [, step]] of steps.entries()) {
    lines[index].setAttribute('aria-current', 'step');
    isDone = await step();
    if (!isDone) break;
    await new Promise(resolve => setTimeout(resolve, pause));
    lines[index].removeAttribute('aria-current');
  }
  if (isDone) {
    const held = [rows(0), world.service, rows(1)].map(list => list.find(row => row.id === id)?.text);
    const outcome = held.every(each => each === held[0])
      ? `Phone, service and laptop hold “${held[0]}”: ` + (ruleOf() === 'serverWins'
        ? 'the service had the phone’s version first, and keeps it.' : 'the laptop wrote last.')
      : 'They differ: ' + held.join(', ');
    tellNews(outcome, false);
  }
  $('conflict').removeAttribute('aria-disabled');
  isPlaying = false;
}

for (const input of document.querySelectorAll('input[name=rule]')) {
  input.addEventListener('change', () => { $('rule-code').textContent = 'conflict: .' + ruleOf(); });
}
$('conflict').addEventListener('click', playConflict);
$('anew').addEventListener('click', () => { if (!isPlaying) act({}, true); });

// ---------- events

text.addEventListener('input', () => { changed(); complete(false); });
text.addEventListener('blur', closeChoices);
text.addEventListener('click', closeChoices);
text.addEventListener('keydown', event => {
  if (event.key === ' ' && event.ctrlKey) { event.preventDefault(); complete(true); return; }
  if (!choices.length) return;
  const actions = {
    ArrowDown: () => select(chosen + 1), ArrowUp: () => select(chosen - 1), Enter: accept, Tab: accept, Escape: closeChoices,
  };
  if (actions[event.key] && !event.shiftKey) { event.preventDefault(); actions[event.key](); }
});
$('tabs').addEventListener('keydown', event => {
  const at = tabs.findIndex(each => each[0] === tab);
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  show(tabs[(next + tabs.length) % tabs.length][0], true);
});
for (const field of fields) $(field).addEventListener('input', changed);
for (const input of document.querySelectorAll('input[name=mode]')) {
  input.addEventListener('change', () => { modeChanged(); changed(); });
}
$('assume').addEventListener('change', changed);
$('source').addEventListener('change', () => { sourceChanged(); changed(); });
$('login').addEventListener('submit', event => { event.preventDefault(); changed(); });
$('open').addEventListener('click', () => $('file').click());
$('file').addEventListener('change', () => { if ($('file').files[0]) load($('file').files[0]); $('file').value = ''; });
$('share').addEventListener('click', () => { save(); copyText(location.href, $('share')); });
addEventListener('hashchange', () => {
  restore();
  if ($('queries').hidden) return;
  drawTabs();
  changed();
});
addEventListener('dragover', event => { event.preventDefault(); $('drop').hidden = false; });
addEventListener('dragleave', event => { if (!event.relatedTarget) $('drop').hidden = true; });
addEventListener('drop', event => {
  event.preventDefault();
  $('drop').hidden = true;
  if (event.dataTransfer.files[0]) load(event.dataTransfer.files[0]);
});

drawTabs();
// What the page opens with depends on the data.
loadData().then(() => {
  restore();
  drawTabs();
  colour();
  return ask();
});
