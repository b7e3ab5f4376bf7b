export const CHAPTERS: readonly (readonly [chapter: string, files: readonly string[]])[]
export function chapterOf(file: string): string | undefined
