import { useState } from 'react'
import { PictureChooser } from '#app/post-editor/picture-chooser.tsx'
import { Button } from '#app/ui/button.tsx'
import { TextField } from './text-field.tsx'
import type { PostFormState } from './use-post-form.tsx'

/** The picture above the post and on its card: one of ours, or an address from which readers load it. */
export function FeaturedImage({ form }: { form: PostFormState }) {
  const [isChoosing, setChoosing] = useState(false)
  const close = () => setChoosing(false)
  return (
    <div className="grid gap-2">
      <TextField
        form={form}
        name="featuredImage"
        label="Featured image"
        optional
        hint="A picture of the library, or the address of one elsewhere."
        placeholder="https://"
      />
      <Button type="button" look="quiet" size="small" className="justify-self-start" onClick={() => setChoosing(true)}>
        Choose a picture
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
