import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#app/platform/browser/api.ts'
import { toast } from '#app/ui/toast.ts'
import { NO_PICTURE, pictureTypes } from '#app/platform/storage/picture-kind.ts'
import { problem } from '#app/platform/problem.ts'
import { image, type Image, IMAGE_TOO_LARGE, IMAGES, MOST_IMAGE_BYTES } from './image.ts'

/** Uploads the first of the given files, reports progress, and refetches the library. */
export function useUpload(onKept: (image: Image) => void) {
  const [share, setShare] = useState(0)
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: async (file: File) => uploadPicture(file, setShare),
    onMutate: () => setShare(0),
    async onSuccess(image) {
      onKept(image)
      await client.invalidateQueries({ predicate: ({ queryKey: [key] }) => typeof key === 'string' && key.startsWith(IMAGES) })
    },
    onError(error) {
      if (error instanceof ApiError && error.status === 401) return
      const isTold = error instanceof ApiError || error instanceof NotUploaded
      toast({ title: 'Image not uploaded', description: isTold ? error.detail : 'Please try again.', look: 'danger' })
    },
  })
  /** Returns whether there was a file. */
  const take = (files: Iterable<File> | null | undefined): boolean => {
    const [file] = files ?? []
    if (file && !isPending) mutate(file)
    return file !== undefined
  }
  return { share: isPending ? share : undefined, take }
}

/** A failed upload; `detail` is a message for the user. */
class NotUploaded extends Error {
  readonly detail: string

  constructor(detail: string) {
    super(detail)
    this.name = 'NotUploaded'
    this.detail = detail
  }
}

/**
 * Uploads an image. `onProgress` gets the share sent, from 0 to 1; at 1 the server makes the sizes. Rejects with `NotUploaded` or
 * `ApiError`, which both have a `detail`.
 */
async function uploadPicture(file: File, onProgress: (share: number) => void = () => undefined): Promise<Image> {
  if (file.size > MOST_IMAGE_BYTES) throw new NotUploaded(IMAGE_TOO_LARGE)
  if (file.type && !pictureTypes.some((type) => type === file.type)) throw new NotUploaded(NO_PICTURE)
  const request = new XMLHttpRequest()
  request.open('POST', `${IMAGES}?${new URLSearchParams({ name: file.name })}`)
  request.setRequestHeader('content-type', file.type || 'application/octet-stream')
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
  await sent(request, file)
  if (request.status === 201) return image.parse(JSON.parse(request.responseText))
  throw new ApiError(request.status, request.responseText || request.statusText, readProblem(request.responseText))
}

/** Uses XMLHttpRequest, because `fetch` reports no upload progress. */
function sent(request: XMLHttpRequest, file: File): Promise<void> {
  return new Promise((resolve, reject) => {
    request.addEventListener('load', () => resolve())
    for (const event of ['error', 'abort', 'timeout']) {
      request.addEventListener(event, () => reject(new NotUploaded('Upload failed. Check your connection and try again.')))
    }
    request.send(file)
  })
}

function readProblem(text: string) {
  try {
    return problem.safeParse(JSON.parse(text)).data
  } catch {
    // A proxy may respond with HTML.
    return undefined
  }
}
