import { createContext, type ReactNode, use } from 'react'

type Chosen = { url: string; alt: string }
export type PictureChooserProps = { onPick: (picture: Chosen) => void; onClose: () => void; file?: File | undefined }

/** How a picture is chosen, given by the page that the editor stands on. */
export const PictureChooserContext = createContext<(props: PictureChooserProps) => ReactNode>(() => null)

export function PictureChooser(props: PictureChooserProps) {
  return use(PictureChooserContext)(props)
}
