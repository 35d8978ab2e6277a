import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export type S3Server = {
  endpoint: string
  objects: Map<string, Buffer>
  /** The key that must sign every request; others get the service's refusal. */
  keyId: string
  /** Returns this status for each request, like a failing service. */
  fail: (status: number | undefined) => void
  close: () => Promise<void>
}

/** The subset of S3 that we use, over HTTP: objects in one bucket, by their path. */
export async function startS3Server(keyId = 'AKIDEXAMPLE'): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  let failing: number | undefined
  const server = createServer((request, response) => {
    void answer(request, response)
  })
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const body = Buffer.concat(await Array.fromAsync(request))
    const { authorization = '' } = request.headers
    const { pathname: key, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (failing) return end(response, failing, 'InternalError')
    if (!isSigned(authorization, keyId) && !isSignedAddress(searchParams, keyId)) return end(response, 403, 'InvalidAccessKeyId')
    for (const name of ['content-type', 'content-disposition']) response.setHeader(name, searchParams.get(`response-${name}`) ?? '')
    if (request.method === 'PUT') objects.set(key, body)
    if (request.method === 'DELETE') objects.delete(key)
    if (request.method !== 'GET') return response.writeHead(request.method === 'DELETE' ? 204 : 200).end()
    const found = objects.get(key)
    return found ? send(response, found, request.headers.range) : end(response, 404, 'NoSuchKey')
  }
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('There is no port.')
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    objects,
    keyId,
    fail: (status) => (failing = status),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function isSigned(authorization: string, keyId: string): boolean {
  return new RegExp(
    `^AWS4-HMAC-SHA256 Credential=${keyId}/\\d{8}/[\\w-]+/s3/aws4_request, SignedHeaders=[\\w;-]+, Signature=[\\da-f]{64}$`,
  ).test(authorization)
}

/** Checks the key and the expiry, but not the value of the signature. */
function isSignedAddress(query: URLSearchParams, keyId: string): boolean {
  const [, day, time] = /^(\d{8})T(\d{6})Z$/.exec(query.get('X-Amz-Date') ?? '') ?? []
  const signedAt = Date.parse(`${day}T${time}Z`.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:$6'))
  const isOurs = query.get('X-Amz-Credential')?.startsWith(`${keyId}/`) && /^[\da-f]{64}$/.test(query.get('X-Amz-Signature') ?? '')
  return Boolean(isOurs) && Date.now() < signedAt + Number(query.get('X-Amz-Expires')) * 1000
}

function send(response: ServerResponse, found: Buffer, range: string | undefined) {
  const [, start, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  if (start === undefined) return response.writeHead(200, { 'content-length': found.length }).end(found)
  const part = found.subarray(Number(start), Number(last) + 1)
  return response
    .writeHead(206, { 'content-length': part.length, 'content-range': `bytes ${start}-${Number(start) + part.length - 1}/${found.length}` })
    .end(part)
}

function end(response: ServerResponse, status: number, code: string) {
  return response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`)
}
