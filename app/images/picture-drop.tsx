import { useRef, useState } from 'react'
import { PICTURE_KINDS, pictureTypes } from '#app/decoding/picture-kind.ts'
import { Button } from '#app/ui/button.tsx'
import { cx } from '#app/ui/class-names.ts'

type PictureDropProps = {
  /** The share of a file that has been sent, from 0 to 1, while one is on its way. */
  share: number | undefined
  take: (files: FileList | null) => boolean
}

/** Where a picture of one's own is chosen, or dropped. */
export function PictureDrop({ share, take }: PictureDropProps) {
  const chooser = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  return (
    // What can be dropped can be chosen with the button as well.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={cx(
        'grid justify-items-start gap-3 rounded-card border border-dashed px-5 py-5',
        isOver ? 'border-ink bg-sunken' : 'border-edge',
      )}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer.files)
      }}
    >
      <input
        ref={chooser}
        type="file"
        aria-label="Picture to upload"
        accept={pictureTypes.join()}
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          take(target.files)
          target.value = ''
        }}
      />
      <Button type="button" look="quiet" busy={share !== undefined} onClick={() => chooser.current?.click()}>
        {share === undefined ? 'Upload a picture' : 'Uploading...'}
      </Button>
      <p className="text-small text-muted">Or drop one here, or paste one. {PICTURE_KINDS}, up to 15 MB.</p>
      {share !== undefined && (
        <p role="status" className="grid w-full gap-1 text-small">
          <progress className="w-full" max={1} value={share} aria-label="Sent" />
          {share < 1 ? `${Math.round(share * 100)} % sent` : 'Making its sizes...'}
        </p>
      )}
    </div>
  )
}
