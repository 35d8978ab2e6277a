import { postWords } from '#app/site/content/blog.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Page } from '#app/ui/page.tsx'

/** In the place of a post that is not there, or that could not be read. */
export function PostMissing({ text = postWords.missing.text }: { text?: string }) {
  return (
    <Page title={postWords.missing.title} intro={text}>
      <ButtonLink to="/blog">{postWords.back}</ButtonLink>
    </Page>
  )
}
