import { useState } from 'react'
import { z } from 'zod/mini'
import { leadUrl } from '#app/leads/lead/desk.ts'
import { leadData } from '#app/leads/lead/use-lead-actions.tsx'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { postFile, UploadFailure } from '#app/platform/browser/upload.ts'
import { useAction } from '#app/ui/admin/use-action.ts'
import { useForm } from '#app/ui/admin/use-form.ts'
import { formatMoment } from '#app/ui/moment.ts'
import { leadFile } from './message.ts'
import {
  cancelledReply,
  FILE_TOO_LARGE,
  MOST_FILE_BYTES,
  replyBody,
  replyEditor,
  replyPreview,
  replyTemplate,
  UNDO_SECONDS,
} from './reply.ts'

const messageUrl = (id: string) => `/api/lead-messages/${id}`
/** Hands a reply over to the outbox: one that is due later, or one that failed. */
export const sendReply = (id: string) =>
  ({ method: 'POST', url: `${messageUrl(id)}/send`, done: 'Email handed over to the outbox' }) as const
export const fileUrl = (id: string) => `/api/lead-files/${id}`
export const TEMPLATES_URL = '/api/lead-templates'
export const replyQuery = (reference: string) => apiQuery(`${leadUrl(reference)}/reply`, replyEditor)
export const filesQuery = (reference: string) => apiQuery(`${leadUrl(reference)}/files`, z.array(leadFile))
export const templatesQuery = apiQuery(TEMPLATES_URL, z.array(replyTemplate))

/** An unfinished reply. Its attachments are on the server. */
const draft = z.object({ subject: z.string(), text: z.string() })
export type ReplyDraft = z.infer<typeof draft>

/** Keyed by user: other people who use this browser must not see it. */
const draftKey = (userId: string, leadId: string) => `winnow:reply:${userId}:${leadId}`

export function findReplyDraft(userId: string, leadId: string): ReplyDraft | undefined {
  try {
    return draft.safeParse(JSON.parse(localStorage.getItem(draftKey(userId, leadId)) ?? 'null')).data
  } catch {
    return undefined
  }
}

/** Stores the draft in this browser, or deletes it. */
export function keepReplyDraft(userId: string, leadId: string, kept: ReplyDraft | undefined): void {
  try {
    if (kept) localStorage.setItem(draftKey(userId, leadId), JSON.stringify(kept))
    else localStorage.removeItem(draftKey(userId, leadId))
  } catch {
    // Without storage, the text stays in the page only.
  }
}

export type SentReply = ReplyDraft & { id: string; fileIds: string[]; sendAt: string | null }

type Sending = { reference: string; read: () => SentReply; onSent: () => void; onCancelled: (draft: ReplyDraft) => void }

/** Sends a reply, with an undo that gives the text back to the editor. */
export function useReplyForm({ reference, read, onSent, onCancelled }: Sending) {
  return useForm({
    schema: replyBody,
    read,
    assign: ({ text, ...errors }) => ({ ...errors, ...(text && { reply: text }) }),
    send: async (reply) => apiRequest('POST', `${leadUrl(reference)}/replies`, reply),
    onDone: onSent,
    done: (_response, { sendAt }) =>
      sendAt ? `Email scheduled for ${formatMoment(sendAt)}` : `The email leaves in ${UNDO_SECONDS} seconds`,
    undo:
      (_response, { id }) =>
      async () =>
        onCancelled(await undoReply(id)),
    failed: 'Not sent',
    touches: leadData,
  })
}

export async function undoReply(id: string): Promise<ReplyDraft> {
  return cancelledReply.parse(await (await apiRequest('POST', `${messageUrl(id)}/cancel`)).json())
}

export async function previewReply(reference: string, given: ReplyDraft) {
  return replyPreview.parse(await (await apiRequest('POST', `${leadUrl(reference)}/reply/preview`, given)).json())
}

/** Uploads files one after the other, and reports the progress of the current one. */
export function useLeadUpload(reference: string, use: 'lead' | 'reply') {
  const [current, setCurrent] = useState<{ name: string; share: number }>()
  const upload = useAction({
    async send(files: File[]) {
      for (const file of files) {
        if (file.size > MOST_FILE_BYTES) throw new UploadFailure(`${file.name}: ${FILE_TOO_LARGE}`)
        setCurrent({ name: file.name, share: 0 })
        const url = `${leadUrl(reference)}/files?${new URLSearchParams({ name: file.name, type: file.type, use })}`
        const onProgress = (share: number) => setCurrent({ name: file.name, share })
        await postFile({ url, file, type: 'application/octet-stream', onProgress })
      }
    },
    failed: 'File not added',
    unheard: 'Please try again.',
    onDone: () => setCurrent(undefined),
    onRefused() {
      setCurrent(undefined)
      return false
    },
    touches: leadData,
  })
  const take = (files: Iterable<File> | null) => {
    const given = [...(files ?? [])]
    if (given.length > 0 && !upload.isPending) upload.mutate(given)
  }
  return { current, take, isPending: upload.isPending }
}

/** A new UUID. `crypto.randomUUID` exists only on HTTPS pages. */
export function newReplyId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
}
