import { TextField } from './text-field.tsx'
import type { PostFormState } from './use-post-form.tsx'

/** The address of the post. What readers may have kept changes only by hand, and then leads on. */
export function SlugField({ form }: { form: PostFormState }) {
  const { base, fields } = form
  const moves = base?.publishedAt && fields.slug !== base.slug
  const hint = moves ? (
    <span className="text-ink">
      /blog/{base.slug} will lead to the new address (a 301 redirect is written), so that links to it stay good.
    </span>
  ) : (
    `/blog/${fields.slug}`
  )
  return <TextField form={form} name="slug" label="Slug" hint={<span className="wrap-anywhere">{hint}</span>} className="font-mono" />
}
