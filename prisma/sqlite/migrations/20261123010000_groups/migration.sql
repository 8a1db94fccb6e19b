-- CreateTable
CREATE TABLE "Group" (
    "name" TEXT NOT NULL PRIMARY KEY
);

-- CreateTable
CREATE TABLE "Membership" (
    "userId" TEXT NOT NULL,
    "groupName" TEXT NOT NULL,

    PRIMARY KEY ("userId", "groupName"),
    CONSTRAINT "Membership_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Membership_groupName_fkey" FOREIGN KEY ("groupName") REFERENCES "Group" ("name") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "Membership_groupName_idx" ON "Membership"("groupName");
