import { CHUNK_TYPE, TUS_VERSION, UPLOADS } from '#app/datasets/import/upload.ts'

type Headers = Record<string, string>

export const tus = { 'tus-resumable': TUS_VERSION }

/** `Upload-Metadata`: names, and values in Base64. */
export function tusMetadata(metadata: Headers): string {
  return Object.entries(metadata)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',')
}

/** Begins an upload with plain requests of the tus protocol, and returns its URL. */
export async function beginTusUpload(base: string, headers: Headers, bytes: number, metadata: Headers): Promise<string> {
  const given = { ...headers, ...tus, 'upload-length': String(bytes), 'upload-metadata': tusMetadata(metadata) }
  const reply = await fetch(base + UPLOADS, { method: 'POST', headers: given })
  if (reply.status !== 201) throw new Error(`The upload was refused with ${reply.status}: ${await reply.text()}`)
  return new URL(reply.headers.get('location') ?? '', base).href
}

export async function tusOffset(url: string, headers: Headers): Promise<number> {
  const reply = await fetch(url, { method: 'HEAD', headers: { ...headers, ...tus } })
  if (reply.status !== 200) throw new Error(`The state of the upload was refused with ${reply.status}.`)
  return Number(reply.headers.get('upload-offset'))
}

export function sendTusChunk(url: string, headers: Headers, offset: number, chunk: Uint8Array<ArrayBuffer>): Promise<Response> {
  const given = { ...headers, ...tus, 'content-type': CHUNK_TYPE, 'upload-offset': String(offset) }
  return fetch(url, { method: 'PATCH', headers: given, body: chunk })
}
