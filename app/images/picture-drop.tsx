import { PICTURE_KINDS, pictureTypes } from '#app/decoding/picture-kind.ts'
import { FileDrop } from '#app/ui/file-drop.tsx'

type PictureDropProps = {
  /** The share of a file that has been sent, from 0 to 1, while one is on its way. */
  share: number | undefined
  take: (files: FileList | null) => boolean
}

/** Where a picture of one's own is chosen, or dropped. */
export function PictureDrop({ share, take }: PictureDropProps) {
  return (
    <FileDrop
      label="Picture to upload"
      accept={pictureTypes.join()}
      verb={share === undefined ? 'Upload a picture' : 'Uploading...'}
      busy={share !== undefined}
      take={take}
    >
      <p className="text-small text-muted">Or drop one here, or paste one. {PICTURE_KINDS}, up to 15 MB.</p>
      {share !== undefined && (
        <p role="status" className="grid w-full gap-1 text-small">
          <progress className="w-full" max={1} value={share} aria-label="Sent" />
          {share < 1 ? `${Math.round(share * 100)} % sent` : 'Making its sizes...'}
        </p>
      )}
    </FileDrop>
  )
}
