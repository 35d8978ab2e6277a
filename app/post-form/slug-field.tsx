import { Button } from '#app/ui/button.tsx'
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
  return (
    <div className="grid content-start gap-2">
      <TextField form={form} name="slug" label="Slug" hint={<span className="wrap-anywhere">{hint}</span>} className="font-mono" />
      {form.freeSlug && <UseFree slug={form.freeSlug} onUse={(slug) => form.change({ slug })} />}
    </div>
  )
}

function UseFree({ slug, onUse }: { slug: string; onUse: (slug: string) => void }) {
  return (
    <Button type="button" look="quiet" size="small" className="justify-self-start font-mono wrap-anywhere" onClick={() => onUse(slug)}>
      Use {slug}
    </Button>
  )
}
