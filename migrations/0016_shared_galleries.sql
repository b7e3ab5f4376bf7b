-- Galleries that the service makes of what a phone shares: if the request ends before it finalizes one, nobody has its links, so
-- maintenance removes it with its images in place of making it public.
ALTER TABLE galleries ADD COLUMN removed_if_unfinished INTEGER NOT NULL DEFAULT 0;
