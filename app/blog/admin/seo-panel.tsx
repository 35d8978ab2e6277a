import { isFeaturedImage, postLabels, textLimits } from '#app/blog/posts/post.ts'
import { cx } from '#app/ui/class-names.ts'
import { goodLengths, type Length, lengthOf, searchResultOf } from './search-result.ts'
import { TextField } from '#app/ui/admin/text-field.tsx'
import type { PostFormState } from './use-post-form.tsx'

export function SeoPanel({ form }: { form: PostFormState }) {
  const { metaTitle, metaDescription } = form.fields
  return (
    <>
      <TextField
        form={form}
        name="metaTitle"
        label={postLabels.metaTitle}
        most={textLimits.metaTitle}
        optional
        hint={<LengthHint name="metaTitle" text={metaTitle} />}
      />
      <TextField
        form={form}
        name="metaDescription"
        label={postLabels.metaDescription}
        most={textLimits.metaDescription}
        optional
        long
        className="min-h-24"
        hint={<LengthHint name="metaDescription" text={metaDescription} />}
      />
      <SearchResult form={form} />
      <SharedCard form={form} />
    </>
  )
}

const instead = { metaTitle: 'the title of the post', metaDescription: 'the excerpt' }
const words: Record<Exclude<Length['verdict'], 'empty'>, string> = {
  short: 'short',
  good: 'good length',
  long: 'will be cut off',
}

function LengthHint({ name, text }: { name: keyof typeof goodLengths; text: string }) {
  const { count, verdict } = lengthOf(name, text)
  const { least, most } = goodLengths[name]
  if (verdict === 'empty') return `Defaults to ${instead[name]}. Aim for ${least}–${most} characters.`
  return (
    <>
      <span className="font-mono tabular-nums">{count}</span> of {least} to {most} characters:{' '}
      <span className={cx('font-medium', verdict === 'good' ? 'text-leaf' : 'text-grain-text')}>{words[verdict]}</span>
    </>
  )
}

function SearchResult({ form }: { form: PostFormState }) {
  const { title, description } = searchResultOf(form.fields)
  return (
    <figure className="grid gap-2">
      <figcaption className="eyebrow">Search result preview</figcaption>
      <div className="grid gap-1 rounded-card border border-line bg-surface p-4">
        <p className="font-mono text-fine text-muted wrap-anywhere">
          {location.host} › blog › {form.fields.slug || '…'}
        </p>
        <p className="text-lead leading-snug font-medium text-grain-text wrap-anywhere">{title}</p>
        <p className="text-small text-muted wrap-anywhere">{description || 'The excerpt or the beginning of the text appears here.'}</p>
      </div>
    </figure>
  )
}

function SharedCard({ form }: { form: PostFormState }) {
  const { title, description } = searchResultOf(form.fields)
  return (
    <figure className="grid gap-2">
      <figcaption className="eyebrow">Social media preview</figcaption>
      <div className="overflow-hidden rounded-card border border-line bg-surface">
        <SharedPicture address={form.fields.featuredImage} title={form.fields.title} />
        <div className="grid gap-1 p-4">
          <p className="font-mono text-fine text-muted">{location.host}</p>
          <p className="text-small font-semibold wrap-anywhere">{title}</p>
          <p className="line-clamp-2 text-small text-muted wrap-anywhere">{description}</p>
        </div>
      </div>
    </figure>
  )
}

/** A post without an image of its own is shared with one generated from its title. */
function SharedPicture({ address, title }: { address: string; title: string }) {
  if (isFeaturedImage(address, location.origin)) {
    return (
      <img src={address} alt="" referrerPolicy="no-referrer" className="aspect-[1.91] w-full border-b border-line bg-sunken object-cover" />
    )
  }
  return (
    <div className="grid aspect-[1.91] w-full items-end border-b border-line bg-sunken p-5">
      <p className="line-clamp-4 font-display text-h3 font-[650] wrap-anywhere">{title || 'Untitled'}</p>
    </div>
  )
}
