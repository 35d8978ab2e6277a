import { TextField } from './text-field.tsx'
import type { PostFormState } from './use-post-form.tsx'

/** The picture above the post and on its card. */
export function FeaturedImage({ form }: { form: PostFormState }) {
  return (
    <TextField
      form={form}
      name="featuredImage"
      label="Featured image"
      optional
      hint="The address of a picture. Readers load it from there."
      placeholder="https://"
    />
  )
}
