import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#app/platform/browser/api.ts'
import { toast } from '#app/ui/toast.ts'
import { type Image, IMAGES } from './image.ts'
import { NotUploaded, uploadPicture } from './upload.ts'

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
