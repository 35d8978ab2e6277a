import { z } from 'zod'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { drawPicture, previewImageFile } from './picture.server.ts'
import type { PictureText } from './picture.ts'
import { fileResponseSchema, redirected, unchanged } from '#app/platform/http/response-schema.ts'

/** Returns the content of the image of that name, or `undefined`. */
type Finder = (name: string) => Promise<PictureText | undefined>

/**
 * The social images of pages. A request only names an image and cannot choose its text. A URL from before a change of the text redirects to
 * the current one.
 */
export function pictureApi(...finders: Finder[]): Api {
  return async (app) => {
    app.get('/og/*', {
      schema: {
        summary: 'The picture of a page',
        params: z.object({ '*': z.string() }),
        response: { 200: fileResponseSchema('The picture.', 'image/png', 'image/jpeg'), 302: redirected, 304: unchanged },
      },
      config: { limit: perVisitor('pictures', 300, '1 minutes'), isPublic: true },
      async handler(request, reply) {
        const asked = request.params['*']
        const [, name] = /^([a-z\d-]+)\.[a-f\d]{16}\.(?:png|jpg)$/.exec(asked) ?? []
        const text = (name && (await findText(finders, name))) || stop('notFound', 'There is no such picture.')
        const file = previewImageFile(text)
        if (file !== asked) return reply.header('cache-control', 'no-cache').redirect(`/og/${file}`, 302)
        const picture = await drawPicture(text)
        reply.hijack()
        picture.send(request.raw, reply.raw, request.id)
        return reply
      },
    })
  }
}

async function findText(finders: readonly Finder[], name: string): Promise<PictureText | undefined> {
  const found = await Promise.all(finders.map((find) => find(name)))
  return found.find((text) => text !== undefined)
}
