import { createServer } from 'node:http'

/** Sends as many bytes as a page of 100 rows × 19 columns has without gzip, and does nothing else. */
const page = Buffer.alloc(43_600, '{"id":1},')

createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': page.length })
  response.end(page)
}).listen(Number(new URL(process.argv[2] ?? '').port), '127.0.0.1')
