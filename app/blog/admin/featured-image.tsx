import { useState } from 'react'
import { PictureChooser } from './picture-chooser.tsx'
import { Button } from '#app/ui/button.tsx'
import { postLabels } from '#app/blog/posts/post.ts'
import { TextField } from '#app/ui/admin/text-field.tsx'
import type { PostFormState } from './use-post-form.tsx'

/** The image above the post and on its card: from the library, or an external URL. */
export function FeaturedImage({ form }: { form: PostFormState }) {
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
