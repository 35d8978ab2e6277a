import { fileKey } from '#app/datasets/catalog/version-files.server.ts'
import { openFile, partStore, putFile, removeFile } from '#app/platform/storage/storage.server.ts'
import type { Row } from '#db/tables.ts'
import type { UploadTarget } from './upload-file.server.ts'
import { PART_BYTES, type StoredParts } from './upload.ts'

type Place = Pick<Row<'datasetUploads'>, 'id' | 'format'>

const keyOf = ({ id, format }: Place) => fileKey(id, `original.${format}`)
/** The bytes after the last whole part: a part of a multipart upload has at least 5 MiB, a chunk of a client may have less. */
const tailKey = (id: string) => `uploads/${id}`

/** Begins a multipart upload under the final name of the file; undefined where files are on disk. */
export async function beginParts(place: Place): Promise<StoredParts | undefined> {
  const store = await partStore()
  return store && { uploadId: await store.begin(keyOf(place)), tags: [], tail: 0 }
}

/**
 * Parts have fixed bounds: one that is sent twice has the same bytes. The tail belongs to the part after the recorded ones, and grows only, so
 * after a kill the recorded length of it is right.
 */
export async function openParts(upload: Row<'datasetUploads'>, recorded: StoredParts): Promise<UploadTarget> {
  const store = await ours()
  const { id, bytes } = upload
  const { uploadId } = recorded
  const tags = [...recorded.tags]
  const sizeOfNext = () => Math.min(PART_BYTES, bytes - tags.length * PART_BYTES)
  const part = Buffer.allocUnsafe(sizeOfNext())
  let tail = await readTail(id, part, recorded.tail)
  let filled = tail
  async function putPart() {
    tags.push(await store.put(keyOf(upload), uploadId, tags.length + 1, part.subarray(0, filled)))
    filled = 0
    tail = 0
  }
  return {
    async write(chunk) {
      let isWhole = false
      for (let at = 0; at < chunk.length;) {
        const taken = Math.min(chunk.length - at, sizeOfNext() - filled)
        part.set(chunk.subarray(at, at + taken), filled)
        filled += taken
        at += taken
        if (filled < sizeOfNext()) continue
        await putPart()
        isWhole = true
      }
      return isWhole
    },
    async flush() {
      if (filled === tail) return
      await putFile(tailKey(id), part.subarray(0, filled))
      tail = filled
    },
    stored: () => ({ received: Math.min(bytes, tags.length * PART_BYTES) + tail, parts: { uploadId, tags: [...tags], tail } }),
    [Symbol.asyncDispose]: async () => undefined,
  }
}

/** Makes the parts the file. Repeated after a crash, it does nothing. */
export async function joinParts(place: Place, { uploadId, tags }: StoredParts): Promise<void> {
  await (await ours()).complete(keyOf(place), uploadId, tags)
  await removeFile(tailKey(place.id))
}

export async function removeParts(place: Place, { uploadId }: StoredParts): Promise<void> {
  await (await ours()).abort(keyOf(place), uploadId)
  await removeFile(tailKey(place.id))
}

async function ours() {
  const store = await partStore()
  if (!store) throw new Error('An upload is in a bucket, and no bucket is set.')
  return store
}

/** Reads the recorded bytes into the part; 0 if they are not there. */
async function readTail(id: string, part: Buffer, length: number): Promise<number> {
  const found = length > 0 ? await openFile(tailKey(id)) : undefined
  if (!found) return 0
  let read = 0
  for await (const chunk of found.stream) if (Buffer.isBuffer(chunk)) read += chunk.copy(part, read)
  return read < length ? 0 : length
}
