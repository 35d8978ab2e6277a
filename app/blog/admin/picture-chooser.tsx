import { createContext, type ReactNode, use } from 'react'

type Chosen = { url: string; alt: string }
export type PictureChooserProps = { onPick: (picture: Chosen) => void; onClose: () => void; file?: File | undefined }

/** The page provides the image picker, so that the editor does not depend on it. */
export const PictureChooserContext = createContext<(props: PictureChooserProps) => ReactNode>(() => null)

export function PictureChooser(props: PictureChooserProps) {
  return use(PictureChooserContext)(props)
}
