import { Card } from '#app/ui/card.tsx'
import { ContentField } from './content-field.tsx'
import { FeaturedImage } from './featured-image.tsx'
import { Publication } from './publication.tsx'
import { SeoPanel } from './seo-panel.tsx'
import { SlugField } from './slug-field.tsx'
import { TextField } from './text-field.tsx'
import type { PostFormState } from './use-post-form.tsx'

export function FormFields({ form }: { form: PostFormState }) {
  return (
    <>
      <div className="grid gap-5 md:grid-cols-2">
        <TextField form={form} name="title" label="Title" hint="Stands above the post and in lists." />
        <SlugField form={form} />
      </div>
      <ContentField form={form} />
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_22rem]">
        <div className="grid gap-5">
          <TextField
            form={form}
            name="excerpt"
            label="Excerpt"
            optional
            long
            className="min-h-24"
            hint="For lists of posts. Empty, it is the beginning of the text."
          />
          <TextField form={form} name="tags" label="Tags" optional hint="With commas between them." placeholder="web scraping, prices" />
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
