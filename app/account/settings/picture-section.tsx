import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { useRevalidator } from 'react-router'
import { MOST_PICTURE_BYTES, PICTURE_TOO_LARGE } from './picture-file.ts'
import { PICTURE_KINDS, pictureTypes } from '#app/platform/storage/picture-kind.ts'
import { ApiError, apiRequest, apiSend } from '#app/platform/browser/api.ts'
import { Avatar } from '#app/ui/avatar.tsx'
import { Button } from '#app/ui/button.tsx'
import { toast } from '#app/ui/toast.ts'
import type { OwnAccount } from './account.ts'
import { AccountSection } from './account-section.tsx'
import { useRefreshAccount } from './account-state.tsx'

const AVATAR = '/api/account/avatar'

/** The picture in the menu. */
export function PictureSection({ account: { avatarUrl, firstName, email } }: { account: OwnAccount }) {
  const chooser = useRef<HTMLInputElement>(null)
  const give = useChange(async (file: File) => {
    if (file.size > MOST_PICTURE_BYTES) throw new TooLarge(PICTURE_TOO_LARGE)
    await apiSend('PUT', AVATAR, file)
  }, 'Picture saved')
  const remove = useChange(async () => apiRequest('DELETE', AVATAR), 'Picture removed')
  return (
    <AccountSection
      id="picture"
      title="Picture"
      intro={`${PICTURE_KINDS}, up to 5 MB. Cropped to a square; photo metadata is removed. Posts that you publish show it.`}
    >
      <div className="flex flex-wrap items-center gap-5">
        <Avatar src={avatarUrl ?? undefined} label={firstName || email} size="large" />
        <div className="flex flex-wrap gap-3">
          <input
            ref={chooser}
            type="file"
            aria-label="Picture of you"
            accept={pictureTypes.join()}
            className="sr-only"
            tabIndex={-1}
            onChange={({ target }) => {
              const [file] = target.files ?? []
              target.value = ''
              if (file) give.mutate(file)
            }}
          />
          <Button type="button" look="quiet" busy={give.isPending} onClick={() => chooser.current?.click()}>
            {give.isPending ? 'Uploading...' : avatarUrl ? 'Choose another picture' : 'Choose a picture'}
          </Button>
          {avatarUrl && (
            <Button type="button" look="quiet" busy={remove.isPending} onClick={() => remove.mutate()}>
              {remove.isPending ? 'Removing...' : 'Remove picture'}
            </Button>
          )}
        </div>
      </div>
    </AccountSection>
  )
}

/** The error for a picture that is refused before the upload. */
class TooLarge extends Error {}

function useChange<Given = void>(change: (given: Given) => Promise<unknown>, done: string) {
  const refresh = useRefreshAccount()
  const { revalidate } = useRevalidator()
  return useMutation({
    mutationFn: change,
    async onSuccess() {
      toast({ title: done })
      await Promise.all([refresh(), revalidate()])
    },
    onError(error) {
      if (error instanceof ApiError && error.status === 401) return
      toast({ title: 'Picture not saved', description: reasonOf(error), look: 'danger' })
    },
  })
}

function reasonOf(error: Error): string {
  if (error instanceof ApiError) return error.detail
  return error instanceof TooLarge ? error.message : 'The server could not be reached. Please try again.'
}
