import { z } from 'zod'
import type { Api } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { fileResponseSchema, unchanged } from '#app/platform/http/response-schema.ts'
import { db } from '#app/platform/database/db.server.ts'
import { openFile, type StoredFile } from '#app/platform/storage/storage.server.ts'
import { imageAddress } from './picture.ts'

const params = z.object({ id: z.string(), file: z.string() })

/** Serves images under immutable URLs. Other sites may embed them, because feed readers do. */
export const imageFileApi: Api = async (app) => {
  app.get('/images/:id/:file', {
    schema: {
      summary: 'Get an image of a post',
      tags: ['blog'],
      params,
      response: { 200: fileResponseSchema('The image.', 'image/*'), 304: unchanged },
    },
    config: { isPublic: true },
    async handler({ params: { id, file }, headers }, reply) {
      const etag = `"${id}/${file}"`
      const opened = (await openImage(`/images/${id}/${file}`)) ?? stop('notFound', 'Image not found.')
      reply.headers({
        etag,
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'cross-origin',
      })
      if (headers['if-none-match']?.includes(etag)) {
        opened.stream.destroy()
        return reply.status(304).send(null)
      }
      return reply.headers({ 'content-type': opened.type, 'content-length': opened.size }).send(opened.stream)
    },
  })
}

/** Opens a file by its URL; `undefined` when it does not exist or its image was deleted. */
async function openImage(address: string): Promise<(StoredFile & { type: string }) | undefined> {
  const { id, width, format } = imageAddress(address) ?? {}
  if (!id || !width) return undefined
  const row = await db.selectFrom('images').select('widths').where('id', '=', id).executeTakeFirst()
  if (!row?.widths.includes(width)) return undefined
  const file = await openFile(`images/${id}/${width}.${format}`)
  return file && { ...file, type: `image/${format}` }
}
