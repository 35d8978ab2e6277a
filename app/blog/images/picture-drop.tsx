import { PICTURE_KINDS, pictureTypes } from '#app/platform/storage/picture-kind.ts'
import { FileDrop } from '#app/ui/file-drop.tsx'

type PictureDropProps = {
  /** Upload progress from 0 to 1; `undefined` without an upload. */
  share: number | undefined
  take: (files: FileList | null) => boolean
}

/** Chooses an image file, or takes a dropped one. */
export function PictureDrop({ share, take }: PictureDropProps) {
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
        <p role="status" className="grid w-full gap-1 text-small">
          <progress className="w-full" max={1} value={share} aria-label="Sent" />
          {share < 1 ? `${Math.round(share * 100)} % sent` : 'Processing...'}
        </p>
      )}
    </FileDrop>
  )
}
