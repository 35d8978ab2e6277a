import { Card } from '#app/ui/card.tsx'
import { FeaturedImage } from './featured-image.tsx'
import { Publication } from './publication.tsx'
import { SeoPanel } from './seo-panel.tsx'
import { PostSlugField } from './slug-field.tsx'
import { PostTextField } from './text-field.tsx'
import type { PostFormState } from './use-post-form.tsx'
import { MarkdownEditor } from './markdown-editor.tsx'
import { Field } from '#app/ui/field.tsx'

export function PostFormFields({ form }: { form: PostFormState }) {
  return (
    <>
      <div className="grid gap-5 md:grid-cols-2">
        <PostTextField form={form} name="title" hint="Shown as the headline and in listings." />
        <PostSlugField form={form} />
      </div>
      <ContentField form={form} />
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_22rem]">
        <div className="grid gap-5">
          <PostTextField
            form={form}
            name="excerpt"
            optional
            long
            className="min-h-24"
            hint="Shown in listings. Defaults to the beginning of the text."
          />
          <PostTextField form={form} name="tags" optional hint="Comma-separated." placeholder="web scraping, prices" />
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
      <MarkdownEditor label="Content" value={fields.content} onChange={(content) => change({ content })} />
    </Field>
  )
}
