-- CreateTable
CREATE TABLE "Delivery" (
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "receiver" TEXT NOT NULL,
    "account" TEXT,
    "payload" TEXT NOT NULL,
    "createdAt" BIGINT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "dueAt" BIGINT,
    "error" TEXT,
    "gone" BOOLEAN NOT NULL DEFAULT false,
    "expiresAt" BIGINT NOT NULL,

    CONSTRAINT "Delivery_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Delivery_dueAt_idx" ON "Delivery"("dueAt");

-- CreateIndex
CREATE INDEX "Delivery_receiver_gone_idx" ON "Delivery"("receiver", "gone");

-- CreateIndex
CREATE INDEX "Delivery_expiresAt_idx" ON "Delivery"("expiresAt");
