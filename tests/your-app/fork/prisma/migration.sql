CREATE TABLE "Note" (
    "userId" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    CONSTRAINT "Note_pkey" PRIMARY KEY ("userId"),
    CONSTRAINT "Note_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
