import { MarkdownEditor } from '#app/post-editor/markdown-editor.tsx'
import { Field } from '#app/ui/field.tsx'
import type { PostFormState } from './use-post-form.tsx'

/** The text of the post, beside what readers will see. */
export function ContentField({ form: { fields, errors, change } }: { form: PostFormState }) {
  return (
    <Field label="Content" name="content" error={errors['content']}>
      <MarkdownEditor label="Content" value={fields.content} onChange={(content) => change({ content })} />
    </Field>
  )
}
