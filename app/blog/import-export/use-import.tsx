import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#app/platform/browser/api.ts'
import { toast } from '#app/ui/toast.ts'
import type { ConflictChoice, ImportedFile } from './post-file.ts'
import { NotSent, packFolder, sendArchive } from './send-archive.ts'

export type PostImportProgress = { done: number; of: number }

/** The two steps of an import: a dry run, then the import. */
export function useImport(onConflict: ConflictChoice) {
  const client = useQueryClient()
  const [progress, setProgress] = useState<PostImportProgress>()
  const [archive, setArchive] = useState<Blob>()
  const follow = async (blob: Blob, dry: boolean) => {
    setProgress(undefined)
    let done = 0
    return sendArchive({ archive: blob, dry, onConflict, onFile: ({ of }) => setProgress({ done: (done += 1), of }) })
  }
  const check = useMutation({
    async mutationFn(files: readonly File[]) {
      const [first] = files
      const isArchive = files.length === 1 && /\.zip$/i.test(first?.name ?? '')
      const blob = isArchive && first ? first : await packFolder(files)
      setArchive(blob)
      return follow(blob, true)
    },
    onError: failureToast('Import not possible'),
  })
  const write = useMutation({
    mutationFn: async () => (archive ? follow(archive, false) : []),
    onError: failureToast('Import stopped'),
    onSettled: async () => client.invalidateQueries({ predicate: ({ queryKey: [key] }) => typeof key === 'string' && isOfBlog(key) }),
  })
  return { check, write, progress: check.isPending || write.isPending ? progress : undefined }
}

function isOfBlog(key: string): boolean {
  return key.startsWith('/api/blog') || key.startsWith('/api/images')
}

export type PostImportResult = readonly ImportedFile[]

function failureToast(title: string) {
  return (error: Error) => {
    if (error instanceof ApiError && error.status === 401) return
    const sentence =
      error instanceof ApiError ? error.detail : error instanceof NotSent ? error.message : 'Connection lost. Please try again.'
    const isBusy = error instanceof ApiError && error.status === 409
    toast({ title: isBusy ? 'Import not started' : title, description: sentence, look: 'danger' })
  }
}
