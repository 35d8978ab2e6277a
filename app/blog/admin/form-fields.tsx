import { useState } from 'react'
import { CharacterCount, countCharacters } from '#app/ui/character-count.tsx'
import { Button } from '#app/ui/button.tsx'
import { cx } from '#app/ui/class-names.ts'
import { CONTENT_MAX, postLabels, textLimits } from '#app/blog/posts/post.ts'
import { TextField } from '#app/ui/admin/text-field.tsx'
import { Field, useFieldControl } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { Switch } from '#app/ui/switch.tsx'
import { SeoPanel } from './seo-panel.tsx'
import type { Desk } from './use-desk.tsx'
import type { PostFormState } from './use-post-form.tsx'
import { MarkdownEditor } from './markdown-editor.tsx'
import { PictureChooser } from './picture-chooser.tsx'
import { fromClock, stateOf, timeZone, toClock } from './post-fields.ts'

/** The title and the text. They have the page to themselves. */
export function PostText({ form, desk }: { form: PostFormState; desk: Desk }) {
  const { fields, errors, change } = form
  return (
    <div className="grid grid-cols-1 gap-3">
      <Field label={postLabels.title} name="title" error={errors['title']} hiddenLabel>
        <TitleControl value={fields.title} onChange={(title) => change({ title })} />
      </Field>
      <Field label="Content" name="content" error={errors['content']} hiddenLabel>
        <MarkdownEditor label="Content" most={CONTENT_MAX} value={fields.content} onChange={(content) => change({ content })} desk={desk} />
      </Field>
    </div>
  )
}

/** As large as a headline, and as high as it is long. It has one paragraph: Enter goes on to the text. */
function TitleControl({ value, onChange }: { value: string; onChange: (title: string) => void }) {
  const control = useFieldControl()
  const id = `${control.id}-count`
  const count = countCharacters(value, textLimits.title)
  return (
    <>
      <textarea
        {...control}
        aria-describedby={[control['aria-describedby'], count && id].filter(Boolean).join(' ') || undefined}
        rows={1}
        value={value}
        placeholder="Post title"
        autoComplete="off"
        onChange={(event) => onChange(event.target.value.replaceAll(/\s*\n\s*/g, ' '))}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          const text = event.currentTarget.form?.querySelector<HTMLElement>('.cm-content, [name="content"]')
          text?.focus()
        }}
        className="block field-sizing-content w-full resize-none rounded-control border border-transparent bg-transparent px-2 py-1 font-display text-[1.75rem] leading-tight font-[650] wrap-anywhere placeholder:text-muted hover:border-line aria-invalid:border-alarm"
      />
      <CharacterCount id={id} count={count} />
    </>
  )
}

export function PostSettings({ form }: { form: PostFormState }) {
  return (
    <div className="grid grid-cols-1 gap-5">
      <Publication form={form} />
      <SlugField form={form} />
      <TextField form={form} name="tags" label={postLabels.tags} optional hint="Comma-separated." placeholder="web scraping, prices" />
      <TextField
        form={form}
        name="excerpt"
        label={postLabels.excerpt}
        most={textLimits.excerpt}
        optional
        long
        className="min-h-24"
        hint="Shown in listings. Defaults to the beginning of the text."
      />
      <FeaturedImage form={form} />
      <section aria-labelledby="seo-title" className="grid gap-5 border-t border-line pt-5">
        <h3 id="seo-title" className="text-body font-semibold">
          Search and sharing
        </h3>
        <SeoPanel form={form} />
      </section>
    </div>
  )
}

/** A public slug changes only by hand, and its old URL then redirects. */
function SlugField({ form }: { form: PostFormState }) {
  const { base, fields, freeSlug } = form
  const moves = base?.publishedAt && fields.slug !== base.slug
  const hint = moves ? (
    <span className="text-ink">/blog/{base.slug} will redirect (301) to the new URL, so existing links keep working.</span>
  ) : (
    `/blog/${fields.slug}`
  )
  return (
    <div className="grid content-start gap-2">
      <TextField
        form={form}
        name="slug"
        label={postLabels.slug}
        hint={<span className="wrap-anywhere">{hint}</span>}
        className="font-mono"
      />
      {freeSlug && (
        <Button
          type="button"
          look="quiet"
          size="small"
          className="justify-self-start font-mono wrap-anywhere"
          onClick={() => form.change({ slug: freeSlug })}
        >
          Use {freeSlug}
        </Button>
      )}
    </div>
  )
}

/** The image above the post, on its card and where it is shared: from the library, or an external URL. Its words come with it. */
function FeaturedImage({ form }: { form: PostFormState }) {
  const { featuredImage, featuredImageAlt } = form.fields
  const [isChoosing, setChoosing] = useState(false)
  const close = () => setChoosing(false)
  return (
    <div className="grid gap-2">
      <TextField
        form={form}
        name="featuredImage"
        label={postLabels.featuredImage}
        optional
        hint="Choose from the library or paste an image URL."
        placeholder="https://"
      />
      <div className="flex flex-wrap gap-2">
        <Button type="button" look="quiet" size="small" onClick={() => setChoosing(true)}>
          Choose an image
        </Button>
        {featuredImage && (
          <Button type="button" look="quiet" size="small" onClick={() => form.change({ featuredImage: '', featuredImageAlt: '' })}>
            Remove
          </Button>
        )}
      </div>
      {(featuredImage || featuredImageAlt) && (
        <TextField
          form={form}
          name="featuredImageAlt"
          label={postLabels.featuredImageAlt}
          most={textLimits.featuredImageAlt}
          hint={
            <span className={cx(featuredImageAlt.trim() === '' && 'text-grain-text')}>Describe the image for people who can’t see it.</span>
          }
        />
      )}
      {isChoosing && (
        <PictureChooser
          onClose={close}
          onPick={({ url, alt }) => {
            form.change({ featuredImage: url, featuredImageAlt: alt })
            close()
          }}
        />
      )}
    </div>
  )
}

function Publication({ form }: { form: PostFormState }) {
  const { fields, errors, change } = form
  return (
    <div className="grid gap-5">
      <Switch
        label="Published"
        checked={fields.published}
        onChange={(published) => change({ published })}
        describedBy="what-published-means"
      />
      <Field
        label="Publication date and time"
        name="publishedAt"
        optional
        error={errors['publishedAt']}
        hint={`Time zone: ${timeZone()}. Future dates schedule the post.`}
      >
        <Input
          type="datetime-local"
          value={toClock(fields.publishedAt)}
          onChange={(event) => change({ publishedAt: fromClock(event.target.value) })}
        />
      </Field>
      <p id="what-published-means" role="status" className="text-small text-muted">
        {meaningOf(form)}
      </p>
    </div>
  )
}

function meaningOf({ fields }: PostFormState): string {
  const state = stateOf(fields)
  if (state === 'draft') return 'Saves as a draft. Only staff can see it.'
  if (state === 'scheduled') return `Schedules the post for ${formatMoment(fields.publishedAt)} (${timeZone()}).`
  return 'Publishes the post for everyone.'
}
