import { useEffect, useRef, useState } from 'react'
import type { Post } from '#app/posts/post.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { ContentField } from './content-field.tsx'
import { FeaturedImage } from './featured-image.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import { Publication } from './publication.tsx'
import { SeoPanel } from './seo-panel.tsx'
import { SlugField } from './slug-field.tsx'
import { TextField } from './text-field.tsx'
import { type PostFormState, usePostForm } from './use-post-form.tsx'

type PostFormProps = { /** The post to change; without one, a new one is made. */ post?: Post; close: () => void }

export function PostForm({ post, close }: PostFormProps) {
  const form = usePostForm(post, close)
  const element = useFocusOnErrors(form.errors)
  const [leaving, setLeaving] = useState(false)
  const cancel = () => (form.isChanged ? setLeaving(true) : close())
  return (
    <form
      ref={element}
      noValidate
      aria-labelledby="form-title"
      className="grid grid-cols-1 gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        form.submit()
      }}
    >
      <h2 id="form-title" className="text-h3">
        {post ? 'Edit Blog Post' : 'Create New Blog Post'}
      </h2>
      <ErrorSummary errors={form.errors} />
      <FormFields form={form} />
      <FormFoot form={form} cancel={cancel} />
      <ConflictDialog form={form} />
      <LeaveDialog open={leaving} onStay={() => setLeaving(false)} onLeave={close} />
    </form>
  )
}

function FormFields({ form }: { form: PostFormState }) {
  return (
    <>
      <div className="grid gap-5 md:grid-cols-2">
        <TextField form={form} name="title" label="Title" />
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

function FormFoot({ form, cancel }: { form: PostFormState; cancel: () => void }) {
  const [idle, busy] = form.base ? ['Update', 'Updating...'] : ['Create', 'Creating...']
  return (
    <div className="sticky bottom-0 z-10 -mx-2 flex flex-wrap items-center justify-end gap-3 border-t border-line bg-paper px-2 py-3">
      <Button type="button" look="quiet" onClick={cancel}>
        Cancel
      </Button>
      <Button busy={form.isSaving}>{form.isSaving ? busy : idle}</Button>
    </div>
  )
}

/** Leads to the first thing that has to be corrected, once it is marked. */
function useFocusOnErrors(errors: Record<string, string>) {
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (Object.keys(errors).length > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])
  return element
}
