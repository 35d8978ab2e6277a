import type { Handle } from '#app/access.server.ts'
import { data, type MetaDescriptor } from 'react-router'
import { findPreview } from '#app/blog/posts/preview.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { leadOf } from '#app/blog/posts/excerpt.server.ts'
import { postWords } from '#app/content/blog.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { DraftNote, PostArticle, PostMissing } from './post-article.tsx'
import { withPictures } from './post-picture.server.ts'
import type { Route } from './+types/preview.page.ts'

/** The address is a secret, so it is never cached, indexed or sent as a referrer. */
const secret = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }

export const handle = { access: 'public' } satisfies Handle

export async function loader({ params: { token } }: Route.LoaderArgs) {
  const post = (await findPreview(token)) ?? stop('notFound', postWords.preview.gone)
  const { content: _source, ...stored } = post
  const shown = { ...stored, lead: leadOf(post) }
  const [withPicture] = await withPictures([shown])
  return data({ post: withPicture ?? { ...shown, picture: undefined } }, { headers: secret })
}

export const headers = () => secret

export function meta({ loaderData }: Route.MetaArgs): MetaDescriptor[] {
  return pageMeta({ title: loaderData?.post.title ?? postWords.missing.title, index: false })
}

export default function PreviewPage({ loaderData: { post } }: Route.ComponentProps) {
  return (
    <div className="wrap grid gap-y-10 py-10 sm:py-14">
      <DraftNote {...postWords.preview} />
      <PostArticle post={post} />
    </div>
  )
}

export function ErrorBoundary() {
  return <PostMissing text={postWords.preview.gone} />
}
