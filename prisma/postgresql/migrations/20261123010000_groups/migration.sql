-- CreateTable
CREATE TABLE "Group" (
    "name" TEXT NOT NULL,

    CONSTRAINT "Group_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "Membership" (
    "userId" TEXT NOT NULL,
    "groupName" TEXT NOT NULL,

    CONSTRAINT "Membership_pkey" PRIMARY KEY ("userId","groupName")
);

-- CreateIndex
CREATE INDEX "Membership_groupName_idx" ON "Membership"("groupName");

-- AddForeignKey
ALTER TABLE "Membership" ADD CONSTRAINT "Membership_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Membership" ADD CONSTRAINT "Membership_groupName_fkey" FOREIGN KEY ("groupName") REFERENCES "Group"("name") ON DELETE CASCADE ON UPDATE CASCADE;
