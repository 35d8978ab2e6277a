import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { leadData } from '#app/leads/lead/use-lead-actions.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { QuestionDialog } from '#app/ui/admin/action-button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { FileDrop } from '#app/ui/file-drop.tsx'
import { Progress } from '#app/ui/progress.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { LeadFileList } from './file-list.tsx'
import type { LeadFile } from './message.ts'
import { filesQuery, fileUrl, useLeadUpload } from './use-reply.tsx'

/** The files of a lead. Staff add files, and remove those that were added. */
export function FilePanel({ reference }: { reference: string }) {
  const files = useQuery(filesQuery(reference))
  const upload = useLeadUpload(reference, 'lead')
  const [asked, setAsked] = useState<LeadFile>()
  const removing = { accepts: ({ source }: LeadFile) => source === 'staff' || source === 'visitor', act: setAsked }
  return (
    <section aria-labelledby="files" className="grid grid-cols-1 gap-2">
      <h2 id="files" className="text-h3">
        Files
      </h2>
      {files.isPending && <Skeleton lines={2} />}
      {files.isError && <Failed error={files.error} retry={files.refetch} />}
      {files.data?.length === 0 && <p className="text-small text-muted">No files. Files of emails appear here as well.</p>}
      <LeadFileList label="Files" files={files.data ?? []} showsOrigin remove={removing} />
      <FileDrop
        label="File for this lead"
        accept=""
        verb={upload.isPending ? 'Adding...' : 'Add file'}
        busy={upload.isPending}
        take={upload.take}
      >
        {upload.current ? (
          <Progress label={`Upload of ${upload.current.name}`} value={upload.current.share} />
        ) : (
          <p className="text-small text-muted">Or drop it here. At most 15 MB. Only staff can see it.</p>
        )}
      </FileDrop>
      {asked && (
        <QuestionDialog
          action={{
            send: async () => apiRequest('DELETE', fileUrl(asked.id)),
            done: 'File deleted',
            failed: 'File not deleted',
            touches: leadData,
          }}
          close={() => setAsked(undefined)}
          question={`Delete ${asked.name}?`}
          confirm="Delete"
        >
          <p>It cannot be restored.</p>
        </QuestionDialog>
      )}
    </section>
  )
}
