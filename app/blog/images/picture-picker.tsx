import { useEffect, useRef, useState } from 'react'
import { apiRequest } from '#app/platform/browser/api.ts'
import { useAction } from '#app/ui/admin/use-action.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { PICTURE_KINDS, pictureTypes } from '#app/platform/storage/picture-kind.ts'
import { Progress } from '#app/ui/progress.tsx'
import { FileDrop } from '#app/ui/file-drop.tsx'
import { altText, type Image, IMAGES, MOST_ALT } from './image.ts'
import { PictureLibrary } from './picture-library.tsx'
import { useUpload } from './use-upload.tsx'

export type PickedPicture = { url: string; alt: string; width: number; height: number }
type PicturePickerProps = {
  onPick: (picture: PickedPicture) => void
  onClose: () => void
  /** A file dropped or pasted elsewhere; its upload starts immediately. */
  file?: File | undefined
}

/** Chooses an image from the library, or uploads one. An image needs alt text before use. */
export function PicturePicker({ onPick, onClose, file }: PicturePickerProps) {
  const [chosen, setChosen] = useState<Image>()
  const upload = useUpload(setChosen)
  const { take } = upload
  const taken = useRef<File>(undefined)
  useEffect(() => {
    if (!file || taken.current === file) return
    taken.current = file
    take([file])
  }, [file, take])
  const use = useDescription(onPick)
  const [error, setError] = useState<string>()
  const body = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState<{ id: string; alt: string }>()
  const alt = typed?.id === chosen?.id ? (typed?.alt ?? '') : (chosen?.alt ?? '')
  const submit = () => {
    const read = altText.safeParse(alt)
    setError(read.error?.issues[0]?.message)
    if (!read.success) body.current?.querySelector<HTMLElement>('[name="alt"]')?.focus()
    if (chosen && read.success) use.mutate({ image: chosen, alt: read.data })
  }
  return (
    <Dialog
      open
      side
      onClose={onClose}
      title="Images"
      actions={
        <>
          <Button type="button" look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="button" busy={use.isPending} {...(!chosen && { unavailable: 'Choose an image first.' })} onClick={submit}>
            {use.isPending ? 'Saving...' : 'Use image'}
          </Button>
        </>
      }
    >
      {/* Pasting works anywhere in the dialog; a button does the same. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div ref={body} className="grid gap-6" onPaste={(event) => upload.take(event.clipboardData.files) && event.preventDefault()}>
        <PictureDrop {...upload} />
        {chosen && (
          <AltField
            key={chosen.id}
            image={chosen}
            alt={alt}
            error={error}
            onChange={(given) => setTyped({ id: chosen.id, alt: given })}
            onEnter={submit}
          />
        )}
        <PictureLibrary
          chosen={chosen}
          onChoose={(image) => {
            setError(undefined)
            setChosen(image)
          }}
        />
      </div>
    </Dialog>
  )
}

type AltFieldProps = { image: Image; alt: string; error: string | undefined; onChange: (alt: string) => void; onEnter: () => void }

function AltField({ image: { url, fileName, width, height }, alt, error, onChange, onEnter }: AltFieldProps) {
  return (
    <div className="grid gap-3 rounded-card border border-line p-4">
      <img src={url} alt="" className="max-h-48 w-full rounded-control bg-sunken object-contain" />
      <p className="text-fine break-all text-muted">
        {fileName}, {width} × {height}
      </p>
      <Field label="Alt text" name="alt" error={error} hint="Describe the image for people who can’t see it.">
        <Input
          value={alt}
          most={MOST_ALT}
          autoComplete="off"
          onChange={({ target }) => onChange(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // The picker may be inside a form, which Enter would submit.
            event.preventDefault()
            onEnter()
          }}
        />
      </Field>
    </div>
  )
}

/** Saves the alt text with the image, as the default for other posts. */
function useDescription(onPick: PicturePickerProps['onPick']) {
  return useAction({
    async send({ image, alt }: { image: Image; alt: string }) {
      if (alt !== image.alt) await apiRequest('PUT', `${IMAGES}/${image.id}`, { alt })
    },
    onDone: (_answer, { image: { url, width, height }, alt }) => onPick({ url, alt, width, height }),
    failed: 'Alt text not saved',
    touches: [IMAGES],
  })
}

type PictureDropProps = {
  /** Upload progress from 0 to 1; `undefined` without an upload. */
  share: number | undefined
  take: (files: FileList | null) => boolean
}

/** Chooses an image file, or takes a dropped one. */
function PictureDrop({ share, take }: PictureDropProps) {
  return (
    <FileDrop
      label="Image to upload"
      accept={pictureTypes.join()}
      verb={share === undefined ? 'Upload an image' : 'Uploading...'}
      busy={share !== undefined}
      take={take}
    >
      <p className="text-small text-muted">Or drop or paste one here. {PICTURE_KINDS}, up to 15 MB.</p>
      {share !== undefined && (
        <Progress label="Sent" value={share}>
          <span role="status">{share < 1 ? 'sent' : 'Processing...'}</span>
        </Progress>
      )}
    </FileDrop>
  )
}
