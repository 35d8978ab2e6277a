import { postWords } from '#app/content/blog.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Page } from '#app/ui/page.tsx'

/** Replaces a post that does not exist or failed to load. */
export function PostMissing({ text = postWords.missing.text }: { text?: string }) {
  return (
    <Page title={postWords.missing.title} intro={text}>
      <ButtonLink to="/blog">{postWords.back}</ButtonLink>
    </Page>
  )
}
