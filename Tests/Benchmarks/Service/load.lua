-- Requests for wrk: `wrk -s load.lua URL -- KIND AUTHORIZATION [since]`; the kinds are those of `request` below.
local kind, since, thread, counter = "get", "", 0, 0
local headers = {
  ["Content-Type"] = "application/json",
}
local pad = string.rep("lorem ipsum ", 15)

function setup(t)
  t:set("number", thread)
  thread = thread + 1
end

function init(args)
  kind, headers["Authorization"], since = args[1], args[2], args[3] or ""
  math.randomseed(os.time() + (number or 0))
end

local function book(n)
  return string.format('{"n":%d,"title":"Title %d","author":"Author %d","text":"%s"}', n, n, n % 100, pad)
end

-- The same requests in Kinto's words; it has 10,000 records.
local function kinto()
  local records = "/v1/buckets/kid/collections/Book/records"
  if kind == "kinto-get" then
    return wrk.format("GET", string.format("%s/b%06d", records, math.random(0, 9999)), headers)
  elseif kind == "kinto-list" then
    return wrk.format("GET", records .. "?author=%22Author%20" .. math.random(0, 99) .. "%22&_sort=-n&_limit=20", headers)
  end
  return wrk.format("POST", records, headers, '{"data":' .. book(200000 + counter) .. "}")
end

function request()
  counter = counter + 1
  if string.sub(kind, 1, 6) == "kinto-" then
    return kinto()
  elseif kind == "get" then
    return wrk.format("GET", string.format("/appdata/kid/Book/b%06d", math.random(0, 99999)), headers)
  elseif kind == "list" then
    local n = math.random(0, 99)
    return wrk.format("GET", "/appdata/kid/Book?query=%7B%22author%22:%22Author%20" .. n
      .. "%22%7D&sort=%7B%22n%22:-1%7D&limit=20", headers)
  elseif kind == "newest" then
    return wrk.format("GET", "/appdata/kid/Book?sort=%7B%22_kmd.lmt%22:-1%7D&limit=20", headers)
  elseif kind == "count" then
    return wrk.format("GET", "/appdata/kid/Book/_count?query=%7B%22author%22:%22Author%20" .. math.random(0, 99)
      .. "%22%7D", headers)
  elseif kind == "scan" then
    return wrk.format("GET", "/appdata/kid/Book?query=%7B%22title%22:%22Title%20" .. math.random(0, 99999) .. "%22%7D&limit=20", headers)
  elseif kind == "delta" then
    return wrk.format("GET", "/appdata/kid/Book/_deltaset?since=" .. since, headers)
  elseif kind == "post" then
    return wrk.format("POST", "/appdata/kid/Book", headers, book(200000 + counter))
  end
  local parts = {}
  for i = 1, 100 do parts[i] = book(200000 + counter * 100 + i) end
  return wrk.format("POST", "/appdata/kid/Book", headers, "[" .. table.concat(parts, ",") .. "]")
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %d %d\n", summary.requests, summary.duration, latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end
