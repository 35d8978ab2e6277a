import { useRef } from 'react'
import { useRevalidator } from 'react-router'
import { MOST_PICTURE_BYTES, PICTURE_TOO_LARGE } from './picture-file.ts'
import { PICTURE_KINDS, pictureTypes } from '#app/platform/storage/picture-kind.ts'
import { apiRequest, apiSend } from '#app/platform/browser/api.ts'
import { UploadFailure } from '#app/platform/browser/upload.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { useAction } from '#app/ui/admin/use-action.ts'
import { Avatar } from '#app/ui/avatar.tsx'
import { Button } from '#app/ui/button.tsx'
import { ACCOUNT, type OwnAccount } from './account.ts'
import { AccountSection } from './account-section.tsx'

const AVATAR = '/api/account/avatar'

/** The picture in the menu. */
export function PictureSection({ account: { avatarUrl, firstName, email } }: { account: OwnAccount }) {
  const chooser = useRef<HTMLInputElement>(null)
  const { revalidate } = useRevalidator()
  const change = { failed: 'Picture not saved', touches: [ACCOUNT], onDone: revalidate }
  const give = useAction({
    ...change,
    async send(file: File) {
      if (file.size > MOST_PICTURE_BYTES) throw new UploadFailure(PICTURE_TOO_LARGE)
      await apiSend('PUT', AVATAR, file)
    },
    done: 'Picture saved',
  })
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
            <ActionButton
              action={{ ...change, send: async () => apiRequest('DELETE', AVATAR), done: 'Picture removed' }}
              pending="Removing..."
            >
              Remove picture
            </ActionButton>
          )}
        </div>
      </div>
    </AccountSection>
  )
}
