import type { Api } from '#app/platform/http/http.server.ts'
import { imageFileApi } from './images/image-file.api.ts'
import { imageApi } from './images/image.api.ts'
import { postFilesApi } from './import-export/post-files.api.ts'
import { newsletterApi } from './newsletter/newsletter.api.ts'
import { draftApi } from './posts/draft.api.ts'
import { postApi } from './posts/post.api.ts'
import { previewApi } from './posts/preview.api.ts'
import { revisionApi } from './posts/revision.api.ts'

export const blogApi: Api = async (app) => {
  for (const api of [postApi, draftApi, revisionApi, previewApi]) app.register(api)
  for (const api of [imageApi, imageFileApi, postFilesApi, newsletterApi]) app.register(api)
}
