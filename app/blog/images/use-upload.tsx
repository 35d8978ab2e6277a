import { useState } from 'react'
import { postFile, UploadFailure } from '#app/platform/browser/upload.ts'
import { useAction } from '#app/ui/admin/use-action.ts'
import { NO_PICTURE, pictureTypes } from '#app/platform/storage/picture-kind.ts'
import { image, type Image, IMAGE_TOO_LARGE, IMAGES, MOST_IMAGE_BYTES } from './image.ts'

/** Uploads the first of the given files, reports progress, and refetches the library. */
export function useUpload(onKept: (image: Image) => void) {
  const [share, setShare] = useState(0)
  const { mutate, isPending } = useAction({
    send: async (file: File) => uploadPicture(file, setShare),
    onDone: onKept,
    failed: 'Image not uploaded',
    touches: [IMAGES],
  })
  /** Returns whether there was a file. */
  const take = (files: Iterable<File> | null | undefined): boolean => {
    const [file] = files ?? []
    if (file && !isPending) {
      setShare(0)
      mutate(file)
    }
    return file !== undefined
  }
  return { share: isPending ? share : undefined, take }
}

/** Uploads an image. `onProgress` gets the share sent, from 0 to 1; at 1 the server makes the sizes. */
async function uploadPicture(file: File, onProgress: (share: number) => void): Promise<Image> {
  if (file.size > MOST_IMAGE_BYTES) throw new UploadFailure(IMAGE_TOO_LARGE)
  if (file.type && !pictureTypes.some((type) => type === file.type)) throw new UploadFailure(NO_PICTURE)
  const url = `${IMAGES}?${new URLSearchParams({ name: file.name })}`
  return image.parse(JSON.parse(await postFile({ url, file, type: file.type || 'application/octet-stream', onProgress })))
}
