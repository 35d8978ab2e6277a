import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { listen } from './http-server.ts'

export type S3Server = {
  endpoint: string
  objects: Map<string, Buffer>
  /** The parts of unfinished multipart uploads, by their id. */
  uploads: Map<string, Map<number, Buffer>>
  /** The key that must sign every request; others get the service's refusal. */
  keyId: string
  /** Returns this status for each request, like a failing service. */
  fail: (status: number | undefined) => void
  close: () => Promise<void>
}

/** The subset of S3 that we use, over HTTP: objects in one bucket, by their path, whole or in parts. */
export async function startS3Server(keyId = 'AKIDEXAMPLE'): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Map<number, Buffer>>()
  let failing: number | undefined
  const server = await listen(answer)
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const body = Buffer.concat(await Array.fromAsync(request))
    const { authorization = '' } = request.headers
    const { pathname: key, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (failing) return end(response, failing, 'InternalError')
    if (!isSigned(authorization, keyId) && !isSignedAddress(searchParams, keyId)) return end(response, 403, 'InvalidAccessKeyId')
    for (const name of ['content-type', 'content-disposition']) response.setHeader(name, searchParams.get(`response-${name}`) ?? '')
    if (searchParams.has('uploads') || searchParams.has('uploadId')) {
      const { status, headers = {}, text = '' } = multipart({ objects, uploads }, { method: request.method ?? '', key, searchParams, body })
      return response.writeHead(status, headers).end(text)
    }
    if (searchParams.get('list-type') === '2') {
      const { text } = list(objects, `${key.replace(/\/$/, '')}/`, searchParams.get('prefix') ?? '')
      return response.writeHead(200, { 'content-type': 'application/xml' }).end(text)
    }
    if (request.method === 'PUT') objects.set(key, body)
    if (request.method === 'DELETE') objects.delete(key)
    if (request.method !== 'GET') return response.writeHead(request.method === 'DELETE' ? 204 : 200).end()
    const found = objects.get(key)
    return found ? send(response, found, request.headers.range) : end(response, 404, 'NoSuchKey')
  }
  return {
    endpoint: server.url,
    objects,
    uploads,
    keyId,
    fail: (status) => (failing = status),
    close: server.close,
  }
}

type Stored = Pick<S3Server, 'objects' | 'uploads'>
type Given = { method: string; key: string; searchParams: URLSearchParams; body: Buffer }

/** Parts must be the ones that were sent, and have 5 MiB, apart from the last one. */
function multipart({ objects, uploads }: Stored, { method, key, searchParams, body }: Given): Reply {
  const id = searchParams.get('uploadId') ?? randomUUID()
  if (searchParams.has('uploads')) uploads.set(id, new Map())
  if (searchParams.has('uploads'))
    return xml(200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
  const parts = uploads.get(id)
  if (!parts) return xml(404, '<Error><Code>NoSuchUpload</Code><Message>no</Message></Error>')
  if (method === 'PUT') parts.set(Number(searchParams.get('partNumber')), body)
  if (method === 'PUT') return { status: 200, headers: { etag: tagOf(body) } }
  if (method === 'POST') {
    const named = [...body.toString().matchAll(/<ETag>(.+?)<\/ETag>/g)].map(([, tag]) => tag?.replaceAll('&quot;', '"'))
    const found = named.map((_, at) => parts.get(at + 1) ?? Buffer.alloc(0))
    const isSound = found.every((part, at) => tagOf(part) === named[at] && (at === found.length - 1 || part.length >= LEAST_PART))
    if (!isSound) return xml(400, '<Error><Code>InvalidPart</Code><Message>no</Message></Error>')
    objects.set(key, Buffer.concat(found))
  }
  uploads.delete(id)
  return method === 'DELETE' ? { status: 204 } : xml(200, '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>')
}

/** The objects of a bucket below a prefix. */
function list(objects: Stored['objects'], bucket: string, prefix: string) {
  const keys = [...objects.keys()].filter((key) => key.startsWith(bucket + prefix)).toSorted()
  const contents = keys.map((key) => `<Contents><Key>${key.slice(bucket.length)}</Key></Contents>`)
  return xml(200, `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`)
}

const LEAST_PART = 5 * 1024 ** 2

type Reply = { status: number; headers?: Record<string, string>; text?: string }

function xml(status: number, text: string): Reply {
  return { status, headers: { 'content-type': 'application/xml' }, text: `<?xml version="1.0"?>${text}` }
}

function tagOf(part: Buffer): string {
  return `"${createHash('md5').update(part).digest('hex')}"`
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
