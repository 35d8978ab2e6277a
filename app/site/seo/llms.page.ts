import { env } from '#app/platform/env.server.ts'
import type { Handle } from '#app/platform/browser/hydration.ts'
import { fileResponse } from '#app/platform/http/file-response.server.ts'
import { listPublicPages } from './listed.server.ts'
import { offerText } from './offer-text.ts'

export const handle = { cache: { tags: ['posts', 'datasets'] } } satisfies Handle

/** The offer in Markdown, for language models that answer questions about it. */
export async function loader() {
  return fileResponse('text/plain; charset=utf-8', offerText(env.SITE_URL, await listPublicPages()))
}
