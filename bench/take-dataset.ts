import { openSync, readSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beginTusUpload, sendTusChunk } from '#test/tus.ts'

const PIECE = 8 * 2 ** 20

/** Publishes a file as staff do it: a free product, the file in parts, the version published when it is ready. */
export async function takeDataset(base: string, headers: Record<string, string>, file: string): Promise<{ id: string; slug: string }> {
  const slug = path.parse(file).name
  const product = { slug, name: slug, description: 'Made for a bench.', category: 'Benches', price: 0, hidden: false }
  const { id } = await send(`${base}/api/data-products`, headers, product)
  const bytes = statSync(file).size
  const upload = await beginTusUpload(base, headers, bytes, { productId: id, filename: path.basename(file) })
  const opened = openSync(file, 'r')
  for (let at = 0; at < bytes; at += PIECE) {
    const body = Buffer.alloc(Math.min(PIECE, bytes - at))
    readSync(opened, body, 0, body.length, at)
    const reply = await sendTusChunk(upload, headers, at, body)
    if (!reply.ok) throw new Error(`A piece was answered by ${reply.status}: ${await reply.text()}`)
  }
  const versions = `${base}/api/data-products/${id}/versions`
  for (;;) {
    const [version] = await (await fetch(versions, { headers })).json()
    if (version?.state === 'ready') break
    if (version && version.state !== 'processing') throw new Error(`The version is ${version.state}: ${version.failure}`)
    await sleep(100)
  }
  await send(`${versions}/1/publish`, headers, {})
  return { id, slug }
}

async function send(url: string, headers: Record<string, string>, body: object): Promise<{ id: string }> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${url} was answered by ${reply.status}: ${text}`)
  return JSON.parse(text || '{}')
}
