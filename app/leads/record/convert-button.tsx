import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { useConvert } from '#app/leads/lead/use-lead-actions.tsx'

type ConvertButtonProps = { id: string; look?: 'primary' | 'quiet'; unavailable?: string | undefined }

/** Turns an enquiry into a consultation. It asks first, because this cannot be undone. */
export function ConvertButton({ id, look = 'primary', unavailable }: ConvertButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const convert = useConvert(id)
  const close = () => setAsking(false)
  return (
    <>
      <Button type="button" look={look} {...(unavailable ? { unavailable } : { onClick: () => setAsking(true) })}>
        Convert to consultation
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={close}
        onConfirm={() => convert.mutate(undefined, { onSuccess: close })}
        title="Convert to a consultation?"
        look="primary"
        confirm={convert.isPending ? 'Converting...' : 'Convert'}
        busy={convert.isPending}
      >
        <p>The enquiry is listed with the consultation requests from then on, for its call. This cannot be undone.</p>
      </ConfirmDialog>
    </>
  )
}
