import { postWords } from '#app/site/content/blog.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Page } from '#app/ui/page.tsx'

/** In the place of a post that is not there, or that could not be read. */
export function PostMissing() {
  const { title, text } = postWords.missing
  return (
    <Page title={title} intro={text}>
      <ButtonLink to="/blog">{postWords.back}</ButtonLink>
    </Page>
  )
}
