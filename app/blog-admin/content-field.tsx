import { TextField } from './text-field.tsx'
import type { PostFormState } from './use-post-form.tsx'

export function ContentField({ form }: { form: PostFormState }) {
  return <TextField form={form} name="content" label="Content" hint="In Markdown." long className="min-h-96 font-mono text-small" />
}
