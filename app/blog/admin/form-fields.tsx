import { useState } from 'react'
import { Card } from '#app/ui/card.tsx'
import { Button } from '#app/ui/button.tsx'
import { CONTENT_MAX, postLabels, textLimits } from '#app/blog/posts/post.ts'
import { TextField } from '#app/ui/admin/text-field.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { Switch } from '#app/ui/switch.tsx'
import { SeoPanel } from './seo-panel.tsx'
import type { PostFormState } from './use-post-form.tsx'
import { MarkdownEditor } from './markdown-editor.tsx'
import { PictureChooser } from './picture-chooser.tsx'
import { fromClock, stateOf, timeZone, toClock } from './post-fields.ts'

export function PostFormFields({ form }: { form: PostFormState }) {
  return (
    <>
      <div className="grid gap-5 md:grid-cols-2">
        <TextField
          form={form}
          name="title"
          label={postLabels.title}
          most={textLimits.title}
          hint="Shown as the headline and in listings."
        />
        <SlugField form={form} />
      </div>
      <ContentField form={form} />
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_22rem]">
        <div className="grid gap-5">
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
          <TextField form={form} name="tags" label={postLabels.tags} optional hint="Comma-separated." placeholder="web scraping, prices" />
          <FeaturedImage form={form} />
        </div>
        <Card as="section" aria-label="Publication">
          <Publication form={form} />
        </Card>
      </div>
      <section aria-labelledby="seo-title" className="grid gap-4 border-t border-line pt-6">
        <h3 id="seo-title">Search and sharing</h3>
        <SeoPanel form={form} />
      </section>
    </>
  )
}

function ContentField({ form: { fields, errors, change } }: { form: PostFormState }) {
  return (
    <Field label="Content" name="content" error={errors['content']}>
      <MarkdownEditor label="Content" most={CONTENT_MAX} value={fields.content} onChange={(content) => change({ content })} />
    </Field>
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

/** The image above the post and on its card: from the library, or an external URL. */
function FeaturedImage({ form }: { form: PostFormState }) {
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
      <Button type="button" look="quiet" size="small" className="justify-self-start" onClick={() => setChoosing(true)}>
        Choose an image
      </Button>
      {isChoosing && (
        <PictureChooser
          onClose={close}
          onPick={({ url }) => {
            form.change({ featuredImage: url })
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
