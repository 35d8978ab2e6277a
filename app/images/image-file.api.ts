import { z } from 'zod'
import type { Api } from '#app/platform/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import { openImage } from './image-file.server.ts'
import { fileAnswer, unchanged } from '#app/platform/answer-schema.ts'

const params = z.object({ id: z.string(), file: z.string() })

/** Pictures of posts, by addresses that never change what they show. Other sites may show them: readers of feeds do. */
export const imageFileApi: Api = async (app) => {
  app.get('/images/:id/:file', {
    schema: {
      summary: 'A picture of a post',
      tags: ['blog'],
      params,
      response: { 200: fileAnswer('The picture.', 'image/*'), 304: unchanged },
    },
    config: { isPublic: true },
    async handler({ params: { id, file }, headers }, reply) {
      const etag = `"${id}/${file}"`
      const opened = (await openImage(`/images/${id}/${file}`)) ?? stop('notFound', 'There is no such picture.')
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
