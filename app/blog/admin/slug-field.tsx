import { Button } from '#app/ui/button.tsx'
import { PostTextField } from './text-field.tsx'
import type { PostFormState } from './use-post-form.tsx'

/** A public slug changes only by hand, and its old URL then redirects. */
export function PostSlugField({ form }: { form: PostFormState }) {
  const { base, fields } = form
  const moves = base?.publishedAt && fields.slug !== base.slug
  const hint = moves ? (
    <span className="text-ink">/blog/{base.slug} will redirect (301) to the new URL, so existing links keep working.</span>
  ) : (
    `/blog/${fields.slug}`
  )
  return (
    <div className="grid content-start gap-2">
      <PostTextField form={form} name="slug" hint={<span className="wrap-anywhere">{hint}</span>} className="font-mono" />
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
